"""What the drivers of machines share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .seeds import BUDGET, NOW

if TYPE_CHECKING:
    from memrules_spec import Rules
    from memrules_spec.machines import Cell

WORLD: dict[str, Any] = {"clock": {"mode": "manual", "now": NOW, "mono": 0}, "budget": BUDGET}
NEW = {"title": "another", "body": "z", "scope": "project", "resolution": "distinct"}


class Plain:
    """What drivers have in common: no cell of their own needs, no table decides."""

    def why_not(self, state: str, event: str) -> str | None:
        """Return None: every cell can be brought about."""
        del state, event
        return None

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return nothing more."""
        del state, event
        return frozenset()

    def decided(self, rules: Rules, cell: Cell) -> set[str]:
        """No table decides a cell."""
        del rules, cell
        return set()
