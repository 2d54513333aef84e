"""What a human sees in the panel: lists of records, and one record with its current body.

Looking works while memory is off; the gate's answer is a label here and keeps nothing back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .gate import is_unreviewed, judged, owner_of
from .limits import Load
from .replies import Reply, said
from .slots import contested
from .store import ColdError
from .targets import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_spec import Decision

    from .records import Record
    from .world import Found, Session, World


def list_records(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{status, records}`` of the view active, archive, unreviewed or conflicts."""
    del session
    view = str(args.get("view", "active"))
    disputed = {record.id for group in contested(world).values() for record in group}
    shown = [
        found
        for found in _within_reach(world)
        if _belongs(world, view, found.record, disputed=found.record.id in disputed)
    ]
    shown.sort(key=lambda found: (found.record.kind or "", found.record.id))  # LM-4.25
    records = [_labelled(world, found.record) for found in shown]
    result: dict[str, Any] = {"status": "ok", "records": records}
    hints = _hints(world) if view == "active" else []
    if hints:
        result["hints"] = hints
    lines = [f"[{entry['id']}] {entry['title']} ({entry['label']})" for entry in records]
    return Reply(result, "\n".join([*lines, *hints]))


def show(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return one record with its label and current body, from cold storage where that lies there.

    A cold body that cannot be had gives its code for a status, and no body (LM-9.19).
    """
    del session
    found = find(world, args.get("id"))
    record = None if found is None else found.record
    view = _view_of(world, record)
    if view != "hidden" and (found is None or record is None):
        raise LookupError(f"panel_visibility gives {view} where there is no record")
    if found is None or record is None or view == "hidden":
        code = str(_label(world, record).outcome["status"])
        return said({"status": "gone" if code == "ok" else code}, code, world.ruling)
    label = _labelled(world, record)
    result: dict[str, Any] = {
        "status": "ok",
        **{key: label[key] for key in ("id", "layer")},
        "revision": record.current_revision,
        "title": record.title or "",
        "summary": record.summary or "",
        "when": record.when or "",
        **{key: label[key] for key in ("label", "row")},
    }
    try:
        result["body"] = world.store.body(found.scope, record)  # LM-4.17: never a former one
    except ColdError as error:
        return said({**result, "status": error.code}, error.code, world.ruling)
    return Reply(result, f"[{record.id}] {record.title or ''}\n{result['body']}")


def _within_reach(world: World) -> list[Found]:
    """Return the records that may come into a list: those of the visible layers, or all."""
    if world.ruling.reading("foreign-in-panel") == "hidden":
        return list(world.visible())
    scopes = world.store.scopes()
    found = (find(world, id_) for scope in scopes for id_ in world.store.read(scope).records)
    return list({one.record.id: one for one in found if one is not None}.values())


def _belongs(world: World, view: str, record: Record, *, disputed: bool) -> bool:
    """Return whether a record stands in a view."""
    place = _view_of(world, record)
    if view == "archive":
        return place == "archive_list"
    if place != "active_list":
        return False
    if view == "unreviewed":
        return is_unreviewed(record, world.ruling)
    return view == "active" or (view == "conflicts" and disputed)


def _view_of(world: World, record: Record | None) -> str:
    """Return where a human sees a record, whatever the gate says of it."""
    presence, owner = "absent", "unset"
    if record is not None:
        presence = "archived" if record.archived else "live"
        owner = owner_of(record, world.judged_in(world.routed()))
    outcome = world.ruling.decide("panel_visibility", presence=presence, owner=owner)
    return str(outcome["view"])


def _labelled(world: World, record: Record) -> dict[str, str]:
    """Return a record as a list shows it, with what the gate says of it."""
    label = _label(world, record)
    return {
        "id": record.id,
        "layer": record.layer,
        "title": record.title or "",
        "label": str(label.outcome["status"]),
        "row": label.row,
    }


def _label(world: World, record: Record | None) -> Decision:
    runtime = world.judged_in(world.routed())
    return judged(record, runtime, "panel", world.clock.now(), world.ruling)


def _hints(world: World) -> list[str]:
    """Return the hint that a layer has more entries than its soft limit (LM-4.48)."""
    if world.ruling.reading("soft-limit-effect") != "panel_hint":
        return []
    loads = (Load(world.ruling, world.store.read(scope).records.values()) for scope in world.scopes)
    return [world.ruling.line("lines", "soft_limit")] if any(load.hinted for load in loads) else []
