"""When the learning chain is closed, whatever is asked of it and of whichever project."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memrules_reference.lite.world import World


def closed(world: World) -> str | None:
    """Return why nothing is learned now, or None."""
    if not world.memory_on:
        return "memory_disabled"
    if world.runtime.get("experimental") is not True:
        return "experimental_off"  # LM-7.1
    return None
