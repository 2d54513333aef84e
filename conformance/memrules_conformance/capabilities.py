"""The closed list of what a target may or may not support, and what one says of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from memrules_spec import data_folder, strict_yaml

from .protocol import KitError
from .safe_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .checks import Check

LEVELS = ("decisions", "tools", "world", "inspect", "durability")
"""What a target offers, in the order in which an adapter grows."""

HOSTING = frozenset({"stop_at", "kill", "spawn"})
"""What a check can need of the kit: that the target has a process of its own."""

OF_THE_KIT = HOSTING - {"stop_at"}
"""Needs that no target has to claim."""


@cache
def capability_levels() -> Mapping[str, str]:
    """Return the level of each capability of ``spec/capabilities.yaml``; may raise SpecError."""
    entries = strict_yaml.load(data_folder() / "capabilities.yaml")["capabilities"]
    return {entry["name"]: entry["level"] for entry in entries}


def level_of(check: Check) -> str:
    """Return the level that a check belongs to: the highest that anything it needs has."""
    levels = capability_levels()
    needed = {levels[need] for need in check.needs - OF_THE_KIT}
    return max(needed, key=LEVELS.index, default="decisions")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a target's ``hello`` claims: everything but what it names, each with its reason."""

    refused: Mapping[str, str]
    families: frozenset[str]

    @classmethod
    def of(cls, hello: Mapping[str, Any]) -> Claims:
        """Return the claims of a ``hello``; see :func:`unknown_capabilities` for wrong ones."""
        refused = {entry["capability"]: entry["reason"] for entry in hello["unsupported"]}
        return cls(refused, frozenset(hello["families"]))

    def reason_against(self, capability: str) -> str | None:
        """Return why a capability is not there, or None if it is.

        A group stands for all that is in it: ``inspect`` for ``inspect.records`` and the others.
        """
        for name in (capability, capability.rpartition(".")[0]):
            if name in self.refused:
                return clean(self.refused[name])
        return None

    def supports(self, capability: str) -> bool:
        """Tell whether a capability is claimed; raise KitError if there is none of that name."""
        if capability not in capability_levels():
            raise KitError(f"{capability} is not in spec/capabilities.yaml")
        return self.reason_against(capability) is None

    def missing(self, check: Check) -> list[str]:
        """Return what a check needs and the target does not have."""
        return sorted(need for need in check.needs - OF_THE_KIT if not self.supports(need))

    def seeds_by_saving(self) -> bool:
        """Tell whether records get into the target only through its own ``memory_save``."""
        return not self.supports("seed.records") and self.supports("lite.memory_save")


def unknown_capabilities(hello: Mapping[str, Any]) -> list[str]:
    """Return the names in ``unsupported`` that are neither capabilities nor groups of them."""
    names: Iterable[str] = (entry["capability"] for entry in hello["unsupported"])
    known = set(capability_levels())
    groups = {name.rpartition(".")[0] for name in known}
    return [name for name in names if name not in known | groups]
