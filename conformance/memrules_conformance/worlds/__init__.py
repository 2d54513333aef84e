"""Worlds: from the rows of the tables to what the entry points of a target must show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import gate, injecting, lifecycle, reading_side, saving, undoing
from .areas import area_of
from .cells import Driver, cell_checks, unshown
from .decide import decide_checks
from .drivers import DRIVERS as RECORD_DRIVERS
from .drivers_learning import DRIVERS as LEARNING_DRIVERS
from .scenes import Cannot, Entry, combinations_of, row_check, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Check
    from memrules_spec import Rules

DRIVERS: tuple[Driver, ...] = (*RECORD_DRIVERS, *LEARNING_DRIVERS)
ENTRIES: tuple[Entry, ...] = (
    *gate.ENTRIES,
    *reading_side.ENTRIES,
    *saving.ENTRIES,
    *lifecycle.ENTRIES,
    *undoing.ENTRIES,
    *injecting.ENTRIES,
)

__all__ = [
    "DRIVERS",
    "ENTRIES",
    "area_of",
    "decide_checks",
    "machine_checks",
    "shown",
    "unshown",
    "world_checks",
]


def world_checks(rules: Rules) -> Iterator[Check]:
    """Yield the check of every row through every entry point that can show it."""
    for entry in ENTRIES:
        table = rules.tables[entry.table]
        for row in table.rows:
            builds = map(entry.build, combinations_of(table, row.id, entry))
            if any(not isinstance(scene, Cannot) for scene in builds):
                yield row_check(entry, rules, row.id)


def machine_checks(rules: Rules) -> Iterator[Check]:
    """Yield the check of every cell of a machine that can be brought about."""
    return cell_checks(rules, DRIVERS)
