"""The organizer: an outside party that is asked once a run, and may say anything or nothing."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .runs import Run

Organizer = Callable[[Mapping[str, Any]], str]
"""Takes what is to be organized and returns its output; raises OrganizerFailedError."""

_NAME = re.compile(r"(feedback|revision|record):([A-Za-z0-9_-]+)\Z")


class OrganizerFailedError(Exception):
    """The organizer gave no output; ``outcome`` is ``timeout`` or ``llm_error``."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Command:
    """An organizer that is a program: JSON on its standard input, output on its standard output."""

    argv: Sequence[str]
    seconds: float

    def __call__(self, asked: Mapping[str, Any]) -> str:
        """Return what the program prints; raise OrganizerFailedError."""
        try:
            done = subprocess.run(
                self.argv,
                input=json.dumps(asked, ensure_ascii=False),
                capture_output=True,
                check=True,
                encoding="utf-8",
                timeout=self.seconds,
            )
        except subprocess.TimeoutExpired as error:
            raise OrganizerFailedError("timeout") from error
        except (OSError, UnicodeError, subprocess.CalledProcessError) as error:
            raise OrganizerFailedError("llm_error") from error
        return done.stdout


@dataclass(frozen=True, slots=True)
class Scripted:
    """An organizer that plays one queued answer: a text, ``{fail}``, or ``{output}``.

    In ``output`` the texts ``feedback:N``, ``revision:N`` and ``record:HANDLE`` stand for the id
    and the revision of the N-th accepted feedback and for the id of a seeded record.
    """

    answer: Any
    run: Run
    handles: Mapping[str, str]

    def __call__(self, asked: Mapping[str, Any]) -> str:
        """Return the queued output; raise OrganizerFailedError."""
        del asked
        if isinstance(self.answer, str):
            return self.answer
        if not isinstance(self.answer, Mapping) or "output" not in self.answer:
            failed = self.answer.get("fail") if isinstance(self.answer, Mapping) else None
            raise OrganizerFailedError("timeout" if failed == "timeout" else "llm_error")
        return json.dumps(self._named(self.answer["output"]), ensure_ascii=False)

    def _named(self, value: Any) -> Any:
        """Return a value with what its names stand for."""
        if isinstance(value, Mapping):
            return {self._named(key): self._named(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._named(inner) for inner in value]
        found = _NAME.match(value) if isinstance(value, str) else None
        if found is None:
            return value
        kind, name = found.groups()
        if kind == "record":
            return self.handles.get(name, value)
        key, entry = list(self.run.book.feedback.items())[int(name) - 1]
        return key if kind == "feedback" else entry.revision
