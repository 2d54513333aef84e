"""Slots: which records claim one topicKey, and which of them a human picked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .answers import refused
from .gate import is_unreviewed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .records import Record
    from .replies import Reply
    from .store import Draft, Scope, State
    from .world import World


def members(world: World, topic_key: str, states: Iterable[State]) -> Iterator[Record]:
    """Yield the records that claim a slot: live, reviewed, ordinary ones of what is visible."""
    for state in states:
        for record in state.records.values():
            if record.topic_key == topic_key and _may_claim(world, record):
                yield record


def namespace(world: World, scope: Scope) -> tuple[Scope, ...]:
    """Return the scopes whose records share their slots with those of a scope."""
    if world.ruling.reading("slot-across-layers") == "layer_slots":
        return (scope,)
    return world.scopes


def holder(
    world: World, topic_key: str | None, scope: Scope, states: Mapping[Scope, State], but: str
) -> Record | None:
    """Return a record other than ``but`` that holds a slot which ``scope`` is about to claim."""
    if not topic_key:
        return None
    shared = [states[one] for one in namespace(world, scope)]
    claimants = (record for record in members(world, topic_key, shared) if record.id != but)
    return next(claimants, None)  # LM-4.22


def refused_slot(world: World, scope: Scope, back: Record, now: Record) -> Reply | None:
    """Return the answer that keeps a record from coming back into a taken slot, or None.

    ``back`` is the record as it would come into ``scope``, ``now`` as it is.
    """
    claims = now.archived or now.topic_key != back.topic_key or now.layer != scope.layer
    if not claims or world.ruling.reading("taken-slot-on-return") == "contested":
        return None  # LM-4.23
    states = {one: world.store.read(one) for one in world.scopes}
    if holder(world, back.topic_key, scope, states, but=back.id) is None:
        return None
    return refused(world, "not_applicable", "slot_taken")


def picked(world: World, scopes: Sequence[Scope]) -> dict[str, str]:
    """Return what a human picked in scopes, by topicKey; the project's pick before the global."""
    merged: dict[str, str] = {}
    for scope in reversed(scopes):
        merged |= world.store.read(scope).slots
    return merged


def contested(world: World) -> dict[str, list[Record]]:
    """Return the slots that several records claim and for which nobody is picked."""
    found: dict[str, list[Record]] = {}
    for group in {namespace(world, scope) for scope in world.scopes}:
        claims: dict[str, list[Record]] = {}
        for scope in group:
            for record in world.store.read(scope).records.values():
                if record.topic_key and _may_claim(world, record):
                    claims.setdefault(record.topic_key, []).append(record)
        picks = picked(world, group)
        for key, claimants in claims.items():
            ids = {record.id for record in claimants}
            if len(ids) > 1 and picks.get(key) not in ids:  # LM-4.23
                found.setdefault(key, []).extend(claimants)
    return found


def pick(
    draft: Draft, scope: Scope, topic_key: str, record_id: str, others: Iterable[Scope]
) -> None:
    """Make a record of a scope the winner of a slot, in place of a pick in any of ``others``."""
    state = draft.state(scope)
    draft.replace(scope, replace(state, slots={**state.slots, topic_key: record_id}))
    for other in others:
        state = draft.state(other)
        if topic_key in state.slots:
            slots = {key: found for key, found in state.slots.items() if key != topic_key}
            draft.replace(other, replace(state, slots=slots))


def silenced(world: World, records: Iterable[Record]) -> set[tuple[Scope, str]]:
    """Return who may not speak for a slot: all its members but the candidate (LM-2.13).

    ``records`` are those of the visible layers, each id once.
    """
    groups: dict[tuple[str, tuple[Scope, ...]], list[Record]] = {}
    for record in records:
        if record.topic_key and not record.archived and _may_claim(world, record):
            shared = namespace(world, world.scope_of(record))
            groups.setdefault((record.topic_key, shared), []).append(record)
    silent: set[tuple[Scope, str]] = set()
    for (topic, shared), claimants in groups.items():
        speakers = _candidates(world, claimants, picked(world, shared).get(topic))
        silent |= {(world.scope_of(r), r.id) for r in claimants if r not in speakers}
    return silent


def _candidates(world: World, claimants: list[Record], pick_of_human: str | None) -> list[Record]:
    """Return the members of one slot that may be injected."""
    statuses = {record.id: world.judge(record, "inject") for record in claimants}
    usable = [record for record in claimants if statuses[record.id] == "ok"]
    chosen = next((record for record in claimants if record.id == pick_of_human), None)
    layers = [record.layer for record in usable]
    across = layers.count("project") == 1 and len(layers) > 1
    said = world.ruling.decide(
        "inject_slot",
        ok_members=("zero", "one", "many")[min(len(usable), 2)],
        ok_spread="one_project_rest_global" if across else "not_across",
        unknown_members="some" if "needs_context" in statuses.values() else "zero",
        inapplicable_members="some" if "not_applicable" in statuses.values() else "zero",
        human_pick="none" if chosen is None else "pick_ok" if chosen in usable else "pick_not_ok",
    )["candidate"]
    if said == "picked" and chosen is not None:
        return [chosen]
    if said == "project_member":
        return [record for record in usable if record.layer == "project"]
    return usable if said in ("sole_ok", "one_a_layer") else []


def _may_claim(world: World, record: Record) -> bool:
    """Return whether a record takes part in slots, whatever its conditions say now."""
    if record.experimental or is_unreviewed(record, world.ruling):
        return False
    return world.judge(record, "forget") == "ok"
