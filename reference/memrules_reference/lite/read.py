"""Section 三: memory_read, a body by its id or the relations of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import budgets
from .citations import cite_record
from .contexts import requested
from .records import valid_id
from .replies import Reply, said
from .store import ColdError
from .targets import find
from .uses import note_use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .world import Found, Session, World


def read(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{status}`` alone, or with ``{id, revision, body}`` or ``{id, links}``.

    Any view but links is the body, as when none is given (LM-0.8).
    """
    context, own = requested(world, args)
    found = find(world, args.get("id"))  # LM-3.32, LM-3.34
    view = "links" if args.get("view") == "links" else "body"
    undecidable = (found is None or not found.visible) and not world.confirmed
    gate = "gone_absent" if undecidable else _gate(world, found, own)
    body, body_at = _body(world, found, view)
    outcome = world.ruling.decide(
        "read_result",
        switch=world.switched(session),
        context=context if context in ("valid_id", "routed_default") else "bad",  # LM-3.51
        id_format="ok" if valid_id(args.get("id")) else "bad",
        lookup="not_in_global_while_unconfirmed" if undecidable else "decidable",
        gate=gate,
        view=view,
        bodies="left" if budgets.fits(world, session, bodies=1) else "used_up",
        body_at=body_at,
    )
    result = {"status": outcome["status"]}
    if outcome["content"] == "absent":
        title = _title(world, found) if outcome["status"] == gate else ""
        return said(result, str(outcome["status"]), world.ruling, title)
    if found is None:
        raise LookupError(f"read_result gives {outcome['content']} where there is no record")
    result["id"] = found.record.id
    if outcome["content"] == "usable_links":
        return _links(world, session, found, own, result)
    budgets.charge(session, bodies=1)  # LM-1.27, LM-3.49: only what is delivered is charged
    note_use(world, found.scope, found.record.id)
    cite_record(session, "bodies", found.record)
    return Reply({**result, "revision": found.record.current_revision, "body": body}, body)


def _gate(world: World, found: Found | None, own: Mapping[str, Any]) -> str:
    """Return the input ``gate``: what the gate says for a read, gone by its cause (LM-3.35)."""
    status = world.judge(found.record if found else None, "read", own)
    if status != "gone":
        return status
    return "gone_archived" if found is not None and found.record.archived else "gone_absent"


def _title(world: World, found: Found | None) -> str:
    """Return the title that is shown of a record of a visible layer that may not be read."""
    if found is None or not found.visible or world.ruling.reading("refused-read-title") == "hidden":
        return ""  # LM-3.45
    return found.record.title or ""


def _body(world: World, found: Found | None, view: str) -> tuple[str, str]:
    """Return the body and the input ``body_at``; cold bodies are loaded on demand (LM-3.39)."""
    if found is None or view == "links":
        return "", "hot"
    if found.record.body_at != "cold":
        return found.record.body or "", "hot"
    try:
        return world.store.body(found.scope, found.record), "cold_ok"
    except ColdError as error:
        return "", error.code  # LM-3.40, LM-3.41


def _links(
    world: World,
    session: Session,
    found: Found,
    own: Mapping[str, Any],
    result: Mapping[str, Any],
) -> Reply:
    """Return the stored relations whose targets are usable (LM-3.43, LM-3.44)."""
    links: list[dict[str, Any]] = []
    for relation in found.record.relations or ():
        target = world.find(relation.to)
        if target is not None and world.judge(target.record, "read", own) == "ok":
            title = target.record.title or ""
            links.append({"to": relation.to, "type": relation.type, "title": title})
    if world.ruling.reading("links-budget") == "bodies":
        budgets.charge(session, bodies=1)  # LM-3.58
    text = "\n".join(f"{link['type']}: [{link['to']}] {link['title']}" for link in links)
    return Reply({**result, "links": links}, text)
