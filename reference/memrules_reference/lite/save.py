"""memory_save: a new record, or with an id the same one again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arguments import understand
from .limits import make_room
from .records import ACTIVE, REVIEWED, record_of
from .routing import route
from .saving import begin
from .similarity import alike
from .slots import holder
from .store import BusyError, ColdError, WriteFailedError
from .update import update

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .replies import Reply
    from .saving import Saving
    from .store import Draft, Scope
    from .world import Session, World

_NEW: Mapping[str, Any] = {
    "summary": "", "when": "", "body": "", "status": ACTIVE, "origin": "user",
    "reviewState": REVIEWED, "kind": "note", "conditions": [], "relations": [], "bodyAt": "hot",
    "revision": 1,
}  # fmt: skip


def save(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{changed, id}`` and what goes with it; a refused save stores nothing."""
    saving = begin(world, session, args)
    if saving.refused():
        return saving.answer()  # LM-8.2, LM-8.26
    try:
        if args.get("id") is None:
            _create(saving, args)
        else:
            update(saving, args)
    except BusyError as error:
        saving.busy = error
        saving.know(lock="timeout")
    except (
        WriteFailedError,
        ColdError,
    ):  # a cold body that is lost cannot be moved with its record
        saving.know(io="fails")
        saving.evictions = []
    return saving.answer()


def _create(saving: Saving, args: Mapping[str, Any]) -> None:
    """Store a new record where routing puts it, unless something is in the way."""
    world = saving.world
    request = understand(world.ruling, args, None)
    saving.know(arguments=request.arguments)
    if saving.refused():
        return
    way = route(world.ruling, request.fields, args.get("scope"))
    saving.scope_note = way.note
    saving.know(layer=_identity(world, way.layer, args.get("scope")))
    if saving.refused():
        return
    scope = world.scope(way.layer)
    with world.store.transact(scope) as draft:
        _compare(saving, request.fields, scope, draft)
        record = _new_record(saving, request.fields, scope)
        load = saving.weigh(record, draft.state(scope))
        if saving.refused():
            return
        draft.put(scope, record)
        saving.record = record
        saving.evictions = make_room(world, draft, scope, record.id, load)


def _identity(world: World, layer: str, requested: str | None) -> str:
    """Return the input ``layer``: whether there is an identity for the layer that routing says."""
    if layer == "none":
        return "refused"
    if not world.confirmed and (layer == "project" or requested != "global"):
        return "no_project_identity"  # LM-5.15, LM-5.24
    return "resolved"


def _compare(saving: Saving, fields: Mapping[str, Any], scope: Scope, draft: Draft) -> None:
    """Hold a new record against those that are there: similar ones, and the holder of its slot."""
    world = saving.world
    states = {one: world.store.read(one) for one in world.scopes} | {scope: draft.state(scope)}
    if world.ruling.reading("candidate-layers") == "target":
        compared = [draft.state(scope)]
    else:
        compared = list(states.values())
    live = (r for state in compared for r in state.records.values() if not r.archived)
    found = alike(world.ruling, fields, live)  # LM-4.3
    saving.similar = [one for one in found if world.judge(one.record, "save") == "ok"]
    if saving.similar:
        saving.know(similar=saving.similar[0].how)
    saving.holder = holder(world, fields.get("topicKey"), scope, states, but="")
    if saving.holder is not None:
        saving.know(slot="taken")


def _new_record(saving: Saving, fields: Mapping[str, Any], scope: Scope) -> Record:
    """Return the record that a save makes, its creation being its first change."""
    now = saving.world.clock.now()
    said = {**_NEW, **fields, "createdAt": now, "updatedAt": now}
    if scope.project is not None:
        said["ownerProjectId"] = scope.project  # LM-1.7
    said["undo"] = [{"change": "create", "layer": scope.layer, "before": {}}]
    return record_of(said, scope.layer, saving.created)
