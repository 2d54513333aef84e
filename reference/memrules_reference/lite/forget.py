"""memory_forget: out of use by default, and deleted for good only where purge says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .answers import answered, refused
from .changes import archive, purge
from .citations import cite_record
from .records import Record
from .store import BusyError, WriteFailedError
from .targets import find, held, ownership, unseen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .replies import Reply
    from .store import Draft, Scope
    from .world import Found, Session, World


def forget(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{changed}`` with the revision, or with the reason why nothing changed."""
    return _forget(
        world, session, args.get("id"), args.get("purge", False), world.switched(session)
    )


def panel_archive(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of the panel's archive, which is a forgetting by hand."""
    return _by_hand(world, session, args.get("id"), purging=False)


def panel_remove(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of the panel's remove, which must be confirmed."""
    if world.switches["memory"] == "off":
        return refused(world, "memory_disabled")
    if args.get("confirm") is not True:
        return refused(world, "invalid_arguments")
    purging = world.ruling.reading("panel-remove") == "purge"  # LM-8.10
    return _by_hand(world, session, args.get("id"), purging=purging)


def _by_hand(world: World, session: Session, record_id: object, *, purging: bool) -> Reply:
    if world.switches["memory"] == "off":  # LM-8.5, whatever holds for the tool
        return refused(world, "memory_disabled")
    return _forget(world, session, record_id, purging, "on")


def _forget(world: World, session: Session, record_id: object, purging: Any, switch: str) -> Reply:
    """Ask the table with all that is known, do what it says, and answer."""
    if not isinstance(purging, bool):
        return refused(world, "memory_disabled" if switch == "off" else "invalid_arguments")
    inputs = {"switch": switch, "lock": "acquired", "purge": "yes" if purging else "no", "io": "ok"}
    found = find(world, record_id)
    inputs |= _described(world, record_id, found)
    if found is None or _foreseen(world, inputs) == "unchanged":
        return _answer(world, inputs)
    changed: Record | None = None
    try:
        with held(world, found, *_copies(world, found, inputs)) as (draft, current):
            inputs |= _described(world, record_id, current)
            if current is not None:
                changed = _apply(world, draft, current, _foreseen(world, inputs))
    except BusyError as error:
        return _answer(world, {**inputs, "lock": "timeout"}, error)
    except WriteFailedError:
        return _answer(world, {**inputs, "io": "fails"})
    if changed is not None:
        cite_record(session, "updates", changed)
    return _answer(world, inputs, changed=changed)


def _described(world: World, record_id: object, found: Found | None) -> dict[str, str]:
    """Return the inputs that describe the record."""
    if unseen(world, record_id, found):
        return {"record": "not_in_global_while_unconfirmed", "owner": "fits"}
    if found is None:
        return {"record": "absent_or_purged", "owner": "fits"}
    presence = "archived" if found.record.archived else "live"
    return {"record": presence, "owner": ownership(world, found)}


def _foreseen(world: World, inputs: Mapping[str, str]) -> str:
    """Return what is to become of the record, before it is known whether the write succeeds."""
    return str(world.ruling.rules.decide("lite/forget_result", inputs).outcome["after"])


def _copies(world: World, found: Found, inputs: Mapping[str, str]) -> list[Scope]:
    """Return the other visible scopes that have a record of the same id, if all are to go."""
    if inputs["purge"] == "no":
        return []
    return [scope for scope in world.scopes if found.record.id in world.store.read(scope).records]


def _apply(world: World, draft: Draft, found: Found, after: str) -> Record | None:
    """Change the record as the table says; return it as it is afterwards, or None if unchanged."""
    if after == "archived":
        return archive(world, draft, found.scope, found.record)  # LM-8.8
    if after == "unchanged":
        return None
    for scope in draft.scopes:
        if found.record.id in draft.state(scope).records:
            purge(world, draft, scope, draft.state(scope).records[found.record.id])
    bare = Record(id=found.record.id, layer=found.record.layer)
    return replace(bare, revision=found.record.current_revision + 1)  # LM-8.12: no text is kept


def _answer(
    world: World,
    inputs: Mapping[str, str],
    error: BusyError | None = None,
    changed: Record | None = None,
) -> Reply:
    """Return what the table says of all that is known."""
    outcome = world.ruling.decide("forget_result", **inputs)
    revision = None if changed is None else changed.current_revision
    return answered(world, outcome, revision, error=error)
