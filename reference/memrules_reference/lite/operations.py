"""The operations by their names; what is not there yet is not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .read import read
from .replies import Reply
from .search import search
from .tools import ENTRIES, tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .world import Session, World


def _tools(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the tools that the model is offered."""
    del world, session, args
    return Reply({"tools": tools()}, "")


def _entries(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the entry points in their order."""
    del world, session, args
    return Reply({"entries": list(ENTRIES)}, "")


OPERATIONS: dict[str, Callable[[World, Session, Mapping[str, Any]], Reply]] = {
    "memory_search": search,
    "memory_read": read,
    "tools": _tools,
    "entries": _entries,
}
