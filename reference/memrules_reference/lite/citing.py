"""The panel's operations on citations: the groups of a turn, and the record behind one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .citations import rendered
from .replies import Reply, said
from .store import ColdError
from .targets import find, ownership

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .world import Session, World


def panel_citations(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{groups}`` of the turn, in their fixed order (LM-6.7)."""
    del args
    groups = rendered(world, session)
    lines = [
        f"{group['group']}: " + ", ".join(entry["title"] for entry in group["entries"])
        for group in groups
    ]
    return Reply({"groups": groups}, "\n".join(lines))


def panel_open_citation(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the current body of a cited record, whatever its conditions say now (LM-6.11).

    No budget is asked or charged (LM-6.20), and nothing older stands in for it (LM-6.13).
    """
    del session
    found = find(world, args.get("id"))
    presence = "absent" if found is None else "archived" if found.record.archived else "live"
    owner = "fits" if ownership(world, found) == "fits" else "elsewhere"
    outcome = world.ruling.decide("citation_open", presence=presence, owner=owner)
    if outcome["content"] == "empty":  # LM-6.12
        return said({"status": outcome["status"]}, str(outcome["status"]), world.ruling)
    try:
        body = "" if found is None else world.store.body(found.scope, found.record)
    except ColdError as error:
        return said({"status": error.code}, error.code, world.ruling)  # LM-9.19
    return Reply({"status": outcome["status"], "body": body}, body)
