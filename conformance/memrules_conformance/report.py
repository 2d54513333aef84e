"""What a run found: one outcome a check, and the counts that are made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .capabilities import LEVELS, OF_THE_KIT, Claims, level_of
from .checks import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .checks import Check

SCORED = ("strict", "reading")
"""The bindings that count: an open or advisory clause has no one answer."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many checks passed, of how many."""

    passed: int
    of: int

    @property
    def percent(self) -> float:
        """Return the share that passed, from 0 to 100; 0 of nothing is 0."""
        return 100 * self.passed / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Totals:
    """``core`` counts what the target claims, ``full`` every strict and reading check."""

    core: Score
    full: Score


@dataclass(frozen=True)
class Report:
    """The outcomes of a run, in the order of the checks, whatever the order in which they ran."""

    target: str
    seed: int
    spec_digest: str = ""
    hello: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    """Why nothing could be asked: the target did not start, or its ``hello`` is not one."""
    outcomes: tuple[Outcome, ...] = ()
    outside: tuple[Check, ...] = ()
    """The checks that hold only under other readings than those that the target declared."""

    def counts(self) -> Counter[Verdict]:
        """Return how many checks got each verdict."""
        return Counter(outcome.verdict for outcome in self.outcomes)

    def totals(self) -> Totals:
        """Return both scores."""
        scored = [o for o in self.outcomes if o.check.binding in SCORED]
        passed = sum(o.verdict is Verdict.PASS for o in scored)
        claimed = sum(o.verdict is not Verdict.UNSUPPORTED for o in scored)
        return Totals(Score(passed, claimed), Score(passed, len(scored)))

    def by_level(self) -> dict[str, Counter[Verdict]]:
        """Return the counts of each level of what a target offers, the empty ones too."""
        found: dict[str, Counter[Verdict]] = {level: Counter() for level in LEVELS}
        for outcome in self.outcomes:
            found[level_of(outcome.check)][outcome.verdict] += 1
        return found

    def by_area(self) -> dict[str, Counter[Verdict]]:
        """Return the counts of each area, in the order of the checks."""
        found: dict[str, Counter[Verdict]] = {}
        for outcome in self.outcomes:
            found.setdefault(outcome.check.area, Counter())[outcome.verdict] += 1
        return found

    def unmet(self, required: Iterable[str]) -> tuple[Outcome, ...]:
        """Return the unsupported outcomes that somebody required not to be.

        A name is a capability (``lite.memory_save``), what stands before its dot (``lite``,
        ``inspect``), or a level (``durability``).
        """
        wanted = set(required)
        return tuple(
            outcome
            for outcome in self.outcomes
            if outcome.verdict is Verdict.UNSUPPORTED and wanted & self._names(outcome.check)
        )

    def exit_code(self, required: Iterable[str] = ()) -> int:
        """Return 0 if the target conforms, 1 if not, 3 if that could not be found out."""
        counts = self.counts()
        if self.refused or not self.outcomes or counts[Verdict.HARNESS_ERROR]:
            return 3
        return int(bool(counts[Verdict.FAIL] or counts[Verdict.ERROR] or self.unmet(required)))

    def _names(self, check: Check) -> set[str]:
        """Return the names under which a check that is unsupported can be required."""
        missing = Claims.of(self.hello).missing(check) or list(check.needs - OF_THE_KIT)
        groups = {need.rpartition(".")[0] for need in missing}
        return {*missing, *groups, level_of(check), family_of(check)} - {""}


def family_of(check: Check) -> str:
    """Return the family of a check: what stands first in its id, after the kind."""
    return check.id.rpartition(":")[2].partition("/")[0]
