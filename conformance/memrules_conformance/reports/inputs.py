"""What a check does, as lines for people: what it begins with and the steps that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memrules_conformance.checks import Check


def input_lines(check: Check) -> list[str]:
    """Return what the check begins with and its steps, or nothing where its id says it all."""
    describe = getattr(check.run, "describe", None)
    return list(describe()) if describe is not None else []
