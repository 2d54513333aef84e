"""Which clauses are covered by a check, which cannot be, and which are still to come.

A clause is covered when a check names it first; what is made from the tables and machines does not
count.  It is shown to bite when something that can be broken rests on it: a row, a cell, or an
implementation that breaks it on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memrules_spec import strict_yaml

from .folders import broken_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memrules_spec import Clause, Rules

    from .checks import Check

MADE = ("vector", "machine")
"""Kinds of checks that are made from tables and machines, and so follow whatever these say."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The clauses of a family or of a section of it, by their ids."""

    total: int
    covered: tuple[str, ...]
    reasoned: tuple[str, ...]
    """Nothing that a target does can show them; the clause says why."""
    uncovered: tuple[str, ...]
    uncovered_strict: tuple[str, ...]
    unbitten: tuple[str, ...]
    """Covered, and nothing that is broken on purpose rests on them."""


def coverage(rules: Rules, checks: Iterable[Check], clauses: Iterable[Clause]) -> Coverage:
    """Return the coverage of some clauses by checks."""
    named = {check.clauses[0] for check in checks if check.kind not in MADE and check.clauses}
    bitten = set(_broken(rules))
    found = list(clauses)
    asked = [c for c in found if c.checked == "target"]
    return Coverage(
        total=len(found),
        covered=tuple(c.id for c in asked if c.id in named),
        reasoned=tuple(c.id for c in found if c.checked != "target"),
        uncovered=tuple(c.id for c in asked if c.id not in named),
        uncovered_strict=tuple(c.id for c in asked if c.id not in named and c.binding == "strict"),
        unbitten=tuple(c.id for c in asked if c.id in named and c.id not in bitten),
    )


def _broken(rules: Rules) -> Iterator[str]:
    """Yield the clauses that a mutant of a row or of a cell, or a mistake, breaks first."""
    for file in sorted(broken_folder().glob("*.yaml")):
        for mistake in strict_yaml.load(file)["mistakes"]:
            yield mistake["breaks"][0]
    for table in rules.tables.values():
        for row in table.rows:
            yield row.decision.clauses[0]
    for machine in rules.machines.values():
        for cell in machine.cells.values():
            yield cell.clauses[0]
