"""What the learning chain remembers in a project's scope: feedback, and runs of the organizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memrules_reference.lite.store import State

_KEY = "learning"
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a user said, of one kind.

    ``rule`` is the record that it is about, ``candidate`` the one that holds its text.  The
    ``revision`` moves when a later correction takes the ground from it; ``pending`` until a run
    of the organizer used it.
    """

    kind: str
    text: str
    at: int
    rule: str | None = None
    candidate: str | None = None
    revision: int = 1
    pending: bool = True


@dataclass(frozen=True, slots=True)
class Notebook:
    """Feedback by id, in the order in which it came, and how many runs the last day had."""

    feedback: Mapping[str, Feedback] = field(default_factory=dict)
    day: int = 0
    runs: int = 0

    @classmethod
    def of(cls, state: State) -> Notebook:
        """Return the notebook that lies in a scope's state; an empty one where there is none."""
        stored = state.extra.get(_KEY)
        if not isinstance(stored, Mapping):
            return cls()
        entries = {key: Feedback(**entry) for key, entry in stored["feedback"].items()}
        return cls(entries, stored["day"], stored["runs"])

    def put_into(self, state: State) -> State:
        """Return a state with this notebook in it."""
        entries = {key: asdict(entry) for key, entry in self.feedback.items()}
        stored: dict[str, Any] = {"feedback": entries, "day": self.day, "runs": self.runs}
        return replace(state, extra={**state.extra, _KEY: stored})

    def with_feedback(self, key: str, entry: Feedback) -> Notebook:
        """Return the notebook with one more piece; a correction outdates those about its rule."""
        known = dict(self.feedback)
        if entry.kind == "user_correction" and entry.rule is not None:
            for other, earlier in known.items():
                if entry.rule in (earlier.rule, earlier.candidate):
                    known[other] = replace(earlier, revision=earlier.revision + 1)  # LM-7.16
        return replace(self, feedback={**known, key: entry})

    def used(self, keys: set[str]) -> Notebook:
        """Return the notebook with some feedback used up."""
        entries = {
            key: replace(entry, pending=False, text="") if key in keys else entry
            for key, entry in self.feedback.items()
        }
        return replace(self, feedback=entries)

    def with_run(self, now: int) -> Notebook:
        """Return the notebook with one more run on the day (UTC) of ``now`` (ms)."""
        day = now // _DAY_MS
        return replace(self, day=day, runs=1 if day != self.day else self.runs + 1)
