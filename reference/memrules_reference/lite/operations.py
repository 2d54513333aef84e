"""The operations by their names; what is not there yet is not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import citing, learning, panel_cold, panel_host, panel_views, panel_writes
from .forget import forget, panel_archive, panel_remove
from .read import read
from .replies import Reply
from .save import save
from .search import search
from .tools import ENTRIES, tools
from .undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .world import Session, World


def _tools(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the tools that the model is offered."""
    del session, args
    return Reply({"tools": tools(world.rules.limit("lite", "max_conditions"))}, "")


def _entries(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the entry points in their order."""
    del world, session, args
    return Reply({"entries": list(ENTRIES)}, "")


OPERATIONS: dict[str, Callable[[World, Session, Mapping[str, Any]], Reply]] = {
    "memory_search": search,
    "memory_read": read,
    "memory_save": save,
    "memory_forget": forget,
    "panel_list": panel_views.list_records,
    "panel_show": panel_views.show,
    "panel_remember": panel_writes.remember,
    "panel_ignore": panel_writes.ignore,
    "panel_archive": panel_archive,
    "panel_restore": panel_writes.restore,
    "panel_move": panel_writes.move,
    "panel_undo": undo,
    "panel_remove": panel_remove,
    "panel_pick": panel_writes.pick_winner,
    "panel_tidy": panel_host.tidy,
    "panel_repair": panel_host.repair,
    "panel_switch": panel_host.switch,
    "panel_confirm_project": panel_host.confirm_project,
    "panel_quarantine": panel_cold.quarantine,
    "panel_restore_cold": panel_cold.restore_cold,
    "panel_citations": citing.panel_citations,
    "panel_open_citation": citing.panel_open_citation,
    "panel_receipts": learning.panel_receipts,
    "learning_feedback": learning.feedback,
    "learning_organize": learning.organize,
    "tools": _tools,
    "entries": _entries,
}
