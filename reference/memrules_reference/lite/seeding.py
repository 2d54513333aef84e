"""Canonical records of a new world, put into the store; and the store's records shown again."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .records import Step, fields_of, record_of, wire_of
from .store import GLOBAL, ColdError, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .world import World


def new_id() -> str:
    """Return an id that nobody can guess."""
    return f"mem_{secrets.token_hex(10)}"


def seed(world: World, given: Mapping[str, Any]) -> dict[str, str]:
    """Put the records, picks and tombstones of a seed into the store; return ids by handle."""
    records: Mapping[str, Mapping[str, Any]] = given.get("records", {})
    ids = {handle: str(entry.get("id") or new_id()) for handle, entry in records.items()}
    places = {handle: _scope(world, entry) for handle, entry in records.items()}
    scopes = {*places.values(), *(world.scopes if given.get("tombstones") else ())}
    with ExitStack() as stack:
        draft = stack.enter_context(
            world.store.transact(*sorted(scopes, key=lambda scope: scope.folder))
        )
        for handle, entry in records.items():
            scope = places[handle]
            fields = {key: value for key, value in entry.items() if key not in ("id", "layer")}
            previous = fields.pop("previous", None)
            if "relations" in fields:
                fields["relations"] = [
                    {**relation, "to": ids.get(relation["to"], relation["to"])}
                    for relation in fields["relations"]
                ]
            record = record_of(fields, scope.layer, ids[handle])
            if previous is not None:
                before = {**fields_of(record), **previous}
                record = replace(record, undo=(Step("update", before, scope.layer),))
            if entry.get("bodyAt") == "cold":
                _may_be_cold(world, record)
                record = draft.cool(scope, record, str(entry.get("body", "")))
            draft.put(scope, record)
        for topic, handle in given.get("slots", {}).items():
            state = draft.state(places[handle])
            picked = replace(state, slots={**state.slots, topic: ids[handle]})
            draft.replace(places[handle], picked)
        for purged in given.get("tombstones", ()):
            state = draft.state(GLOBAL)
            stone = {"at": world.clock.now(), "revision": 1}
            draft.replace(GLOBAL, replace(state, tombstones={**state.tombstones, purged: stone}))
    for handle, entry in records.items():
        if isinstance(entry.get("lastReadAt"), int):
            world.store.touch(places[handle], ids[handle], entry["lastReadAt"])
    return ids


def _may_be_cold(world: World, record: Record) -> None:
    """Raise ValueError for a live record with a cold body where only archived ones are cold."""
    if not record.archived and world.ruling.reading("live-cold-bodies") == "never":
        raise ValueError("the body of a live record is never cold")  # LM-3.59


def _scope(world: World, entry: Mapping[str, Any]) -> Scope:
    """Return the scope that a seeded record lies in."""
    if entry.get("layer") == "global":
        return GLOBAL
    owner = entry.get("ownerProjectId") or world.project_id
    if owner is None:
        raise ValueError("a record of the project layer has no project")
    return Scope(str(owner))


def shown(world: World) -> list[dict[str, Any]]:
    """Return every record of the store in canonical form, by id and layer, without times."""
    found: list[dict[str, Any]] = []
    for scope in world.store.scopes():
        for record in world.store.read(scope).records.values():
            entry = wire_of(record, times=False)
            try:
                entry["body"] = world.store.body(scope, record)
            except ColdError:
                entry.pop("body", None)
            found.append(entry)
    return sorted(found, key=lambda entry: (entry["id"], entry["layer"]))
