"""The command that asks one check again, fit to be pasted into a shell."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Replay:
    """What a run was asked that can change a verdict: the target, the seed, readings, rules."""

    target: str
    seed: int = 0
    readings: Mapping[str, str | int] = field(default_factory=dict)
    spec: Path | None = None

    def command(self, check: str) -> str:
        """Return the command for the check of an id."""
        words = ["memrules", "check", self.target, "--fixture", check, "--seed", str(self.seed)]
        for key, option in self.readings.items():
            words += ["--readings", f"{key}={option}"]
        if self.spec is not None:
            words += ["--spec", str(self.spec)]
        return shlex.join(words)
