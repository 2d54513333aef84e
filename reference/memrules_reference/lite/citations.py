"""Section 六: what was really read into the context, or changed, in this turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .world import Session, World

GROUPS = ("hits", "bodies", "updates")  # LM-6.7


def cite(session: Session, group: str, entry: Mapping[str, Any]) -> None:
    """Remember that a record was delivered or changed: once, its place first, its content last."""
    content = {
        "id": entry["id"],
        "title": entry.get("title") or "",
        "summary": entry.get("summary") or "",
    }
    for known in session.citations:
        if known["entry"]["id"] == content["id"]:  # LM-6.4, LM-6.5
            known["entry"] = content  # LM-6.6
            known["groups"].append(group)
            return
    session.citations.append({"entry": content, "groups": [group]})


def cite_record(session: Session, group: str, record: Record) -> None:
    """Remember a record that was read or changed."""
    shown = {"id": record.id, "title": record.title, "summary": record.summary}
    cite(session, group, shown)


def explain(session: Session, group: str, reason: str) -> None:
    """Remember why a group got nothing from an operation."""
    session.reasons[group] = reason


def rendered(world: World, session: Session) -> list[dict[str, Any]]:
    """Return the groups that are shown, in their fixed order."""
    which = 0 if world.ruling.reading("citation-group-of-repeated") == "earliest" else -1
    shown: list[dict[str, Any]] = []
    for group in GROUPS:
        entries = [c["entry"] for c in session.citations if c["groups"][which] == group]
        reason = session.reasons.get(group)
        said = world.ruling.decide(
            "citation_group",
            content="some" if entries else "none",
            reason="some" if reason else "none",
        )["rendered"]
        if said == "entries":
            shown.append({"group": group, "entries": entries})
        elif said == "reason":
            shown.append({"group": group, "entries": [], "reason": reason})
    return shown
