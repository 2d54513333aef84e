"""memory_save with an id: the fields that are given replace the record's own, and no others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .arguments import understand
from .changes import relocate, revised, with_body_at_hand
from .limits import make_room
from .records import ATTRIBUTES, fields_of, valid_id
from .routing import route
from .slots import holder
from .store import GLOBAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .saving import Saving
    from .store import Draft, Scope
    from .world import Found, World


def update(saving: Saving, args: Mapping[str, Any]) -> None:
    """Store the next revision of a record, unless something is in the way."""
    world = saving.world
    found = world.find(args["id"]) if valid_id(args["id"]) else None
    saving.know(target=_target(world, found, args["id"]))
    request = understand(world.ruling, args, found.record if found else None)
    saving.know(arguments=request.arguments)
    if found is None or saving.refused():
        return
    target = _rerouted(saving, found, request.fields, args.get("scope"))
    with world.store.transact(*{target: None, found.scope: None}) as draft:
        current = draft.state(found.scope).records.get(found.record.id)
        now = None if current is None else replace(found, record=current)
        saving.know(target=_target(world, now, args["id"]))
        request = understand(world.ruling, args, current or found.record)
        saving.know(arguments=request.arguments)
        if current is None or saving.refused():
            return  # another writer was faster
        _write(saving, draft, current, request.fields, (found.scope, target))


def _write(
    saving: Saving,
    draft: Draft,
    current: Record,
    fields: Mapping[str, Any],
    way: tuple[Scope, Scope],
) -> None:
    """Put the next revision into a draft; ``way`` is the scope where it is and where it goes."""
    world, (source, target) = saving.world, way
    saving.record = current
    given = {ATTRIBUTES[key]: _frozen(value) for key, value in fields.items()}
    if "topicKey" in fields and fields["topicKey"] != current.topic_key:
        states = {one: world.store.read(one) for one in world.scopes}
        saving.holder = holder(world, fields["topicKey"], source, states, but=current.id)
        saving.know(slot="free_or_own" if saving.holder is None else "taken")  # LM-4.72
    whole = current
    if "body" in fields:
        whole = with_body_at_hand(world, draft, source, current)
    if all(getattr(whole, name) == value for name, value in given.items()) and source == target:
        saving.know(delta="no_change")
    after = revised(world, whole, "update", **given)  # LM-4.13, LM-4.14
    load = saving.weigh(after, draft.state(target))
    if saving.refused():
        draft.forget_changes()
        return
    if source != target:
        after = relocate(world, draft, source, target, after)
    draft.put(target, after)
    saving.record = after
    saving.evictions = make_room(world, draft, target, after.id, load)  # LM-4.74


def _target(world: World, found: Found | None, record_id: object) -> str:
    """Return the input ``target``: what the gate says of the record to update (LM-4.62)."""
    if (found is None or not found.visible) and not world.confirmed and valid_id(record_id):
        return "not_in_global_while_unconfirmed"
    return world.judge(found.record if found else None, "save")


def _rerouted(
    saving: Saving, found: Found, fields: Mapping[str, Any], requested: str | None
) -> Scope:
    """Return the scope that an updated record goes to: its own, unless the rules say otherwise."""
    world = saving.world
    if requested is None or world.ruling.reading("scope-on-update") == "stays":
        return found.scope  # LM-4.63
    way = route(world.ruling, {**fields_of(found.record), **fields}, requested)
    if way.layer == "global":
        return GLOBAL
    if way.layer == "none" or not world.confirmed:
        return found.scope
    saving.scope_note = way.note
    return world.scope("project")


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
