"""Properties: clauses as *if and only if* over generated worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import gate, histories, injection, learning, reading_side, undoing, waiting
from .asking import Property, property_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Check

RULES: tuple[Property, ...] = (
    *gate.RULES,
    *reading_side.RULES,
    *histories.RULES,
    *injection.RULES,
    *learning.RULES,
    *undoing.RULES,
    *waiting.RULES,
)

__all__ = ["RULES", "Property", "property_check", "property_checks"]


def property_checks() -> Iterator[Check]:
    """Yield the check of every property."""
    return map(property_check, RULES)
