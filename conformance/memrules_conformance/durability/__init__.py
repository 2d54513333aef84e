"""Durability: crashes, I/O errors, damage, locks and races, each shown to have happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .crash import crash_checks
from .histories import history_checks
from .power import power_checks
from .races import race_checks
from .repair import repair_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Check

__all__ = ["durability_checks"]


def durability_checks() -> Iterator[Check]:
    """Yield every check of durability."""
    yield from crash_checks()
    yield from power_checks()
    yield from race_checks()
    yield from history_checks()
    yield from repair_checks()
