"""Changes of one record: the next revision, and the step that takes it back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .records import ACTIVE, ARCHIVED, Step, stored_of
from .store import ColdError

if TYPE_CHECKING:
    from .records import Change, Record
    from .ruling import Ruling
    from .store import Draft, Scope
    from .world import World


def revised(world: World, record: Record, change: Change, **fields: Any) -> Record:
    """Return the next revision of a record, which can be taken back to this one."""
    return replace(
        record,
        revision=record.current_revision + 1,  # LM-8.33
        updated_at=world.clock.now(),
        undo=_kept(world.ruling, (*record.undo, _step(record, change))),
        **fields,
    )


def archive(world: World, draft: Draft, scope: Scope, record: Record) -> Record:
    """Archive a record of a draft: its body goes to cold storage, durably first (LM-10.6)."""
    archived = revised(world, record, "archive", status=ARCHIVED)
    if record.body_at != "cold":
        archived = draft.cool(scope, archived, record.body or "")
    draft.put(scope, archived)
    return archived


def bring_back(world: World, draft: Draft, scope: Scope, record: Record, body: str) -> Record:
    """Make an archived record live again, with the body that was verified."""
    live = replace(
        record,
        status=ACTIVE,
        revision=record.current_revision + 1,
        updated_at=world.clock.now(),
        undo=(),
    )
    if record.body_at == "cold":
        live = draft.warm(scope, live, body)
    draft.put(scope, live)
    return live


def relocate(world: World, draft: Draft, source: Scope, target: Scope, record: Record) -> Record:
    """Put a record of one scope into another, with its cold body; it is then in the other alone.

    Raises ColdError where a cold body does not verify.
    """
    moved = replace(record, layer=target.layer, owner_project_id=target.project)  # LM-1.9
    if record.body_at == "cold":
        moved = draft.cool(target, moved, world.store.body(source, record))
    draft.put(target, moved)
    draft.take_out(source, record.id)
    draft.remove_copies(source, record.id)
    return moved


def purge(world: World, draft: Draft, scope: Scope, record: Record) -> int:
    """Remove a record for good, with every copy of its texts; return its last revision."""
    revision = record.current_revision + 1
    draft.take_out(scope, record.id)  # LM-8.11: the undo copy goes with it
    draft.remove_copies(scope, record.id)  # LM-8.12
    state = draft.state(scope)
    mark = {"at": world.clock.now(), "revision": revision}
    tombstones = {**state.tombstones, record.id: mark}  # LM-8.13
    draft.replace(scope, replace(state, tombstones=tombstones))
    return revision


def with_body_at_hand(world: World, draft: Draft, scope: Scope, record: Record) -> Record:
    """Return a record whose body is about to be replaced, out of cold storage if it lay there.

    A cold body that cannot be had is given up with all that led to it: nothing else asks for it.
    """
    if record.body_at != "cold":
        return record
    try:
        return draft.warm(scope, record, world.store.body(scope, record))
    except ColdError:
        return replace(draft.warm(scope, record, ""), body=None, undo=())


def _step(record: Record, change: Change) -> Step:
    before = stored_of(record)
    before.pop("undo", None)
    if change == "archive":
        before.pop("body", None)
    return Step(change, before, record.layer)


def _kept(ruling: Ruling, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps that are kept: as many changes back as the rules say."""
    kept = list(steps)
    while kept and _dropped(ruling, len(kept)):
        del kept[0]
    return tuple(kept)


def _dropped(ruling: Ruling, changes_back: int) -> bool:
    said = ruling.decide("undo_history", changes_back=changes_back)
    return bool(said["state"] == "dropped")  # LM-4.16
