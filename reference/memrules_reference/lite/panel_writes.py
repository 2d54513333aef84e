"""What a human does to one record in the panel: restore, move, remember, ignore, pick."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .answers import busy, done, refused
from .changes import bring_back, relocate, revised
from .citations import cite_record
from .limits import Load, make_room
from .records import REVIEWED, Record
from .slots import members, namespace, pick, refused_slot
from .store import BusyError, ColdError, WriteFailedError
from .targets import find, held, unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .replies import Reply
    from .store import Draft, Scope
    from .world import Found, Session, World

    Act = Callable[[Draft, Found], tuple[Reply, Record | None]]


def restore(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of making an archived record live again (LM-8.9)."""

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        if not found.record.archived:
            return refused(world, None), None
        if obstacle := refused_slot(world, found.scope, found.record, found.record):
            return obstacle, None
        body = world.store.body_set_aside(found.scope, found.record)  # LM-8.18
        live = bring_back(world, draft, found.scope, found.record, body)
        return _settled(world, draft, found.scope, live)

    return on_record(world, session, args.get("id"), act)


def move(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of putting a record into the other layer, owner and all (LM-1.9)."""
    to = args.get("to")
    if world.switches["memory"] == "on" and to not in ("project", "global"):
        return refused(world, "invalid_arguments")
    if world.switches["memory"] == "on" and to == "project" and not world.confirmed:
        return refused(world, "needs_context", "needs_scope")  # LM-5.13
    target = world.scope(str(to)) if world.confirmed or to == "global" else world.scope("global")

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        if found.record.archived:
            return refused(world, "gone"), None
        if found.scope == target:
            return refused(world, None), None
        if obstacle := refused_slot(world, target, found.record, found.record):
            return obstacle, None
        moved = revised(world, found.record, "move")
        moved = relocate(world, draft, found.scope, target, moved)
        return _settled(world, draft, target, moved)

    return on_record(world, session, args.get("id"), act, target)


def remember(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of accepting a record that waits for its review (LM-0.12)."""

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        if found.record.archived:
            return refused(world, "gone"), None
        if found.record.review_state in (None, REVIEWED):
            return refused(world, None), None
        accepted = revised(world, found.record, "update", review_state=REVIEWED)
        return _settled(world, draft, found.scope, accepted)

    return on_record(world, session, args.get("id"), act)


def ignore(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of dismissing a suggestion, which stores nothing."""
    del session
    found = find(world, args.get("id"))
    if (reason := _out_of_reach(world, args.get("id"), found)) is not None:
        return refused(world, reason)
    return refused(world, None)


def pick_winner(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of choosing who holds a slot (LM-4.23)."""
    key = args.get("topicKey")

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        shared = namespace(world, found.scope)
        states = [draft.state(scope) for scope in shared]
        if not key or found.record.id not in {r.id for r in members(world, str(key), states)}:
            return refused(world, "not_applicable"), None
        before = draft.state(found.scope).slots.get(str(key))
        if before == found.record.id:
            return refused(world, None), None
        others = [scope for scope in shared if scope != found.scope]
        pick(draft, found.scope, str(key), found.record.id, others)
        return done(world, "updated", found.record.current_revision), None

    return on_record(world, session, args.get("id"), act, *world.scopes)


def on_record(world: World, session: Session, record_id: object, act: Act, *others: Scope) -> Reply:
    """Return the answer of an act on a record that is held under its lock.

    The act gives the answer and the record to cite; where it refuses, nothing is written.
    """
    if world.switches["memory"] == "off":
        return refused(world, "memory_disabled")  # LM-8.5
    found = find(world, record_id)
    reason = _out_of_reach(world, record_id, found)
    if found is None or reason is not None:
        return refused(world, reason)
    try:
        with held(world, found, *others) as (draft, current):
            if current is None:
                return refused(world, "gone")
            reply, record = act(draft, current)
            if not reply.result["changed"]:
                draft.forget_changes()
    except BusyError as error:
        return busy(world, error)
    except ColdError as error:
        return refused(world, error.code)  # LM-8.19
    except WriteFailedError:
        return refused(world, "write_failed")
    if record is not None:
        cite_record(session, "updates", record)
    return reply


def _settled(
    world: World, draft: Draft, scope: Scope, record: Record
) -> tuple[Reply, Record | None]:
    """Put a record into a scope, with room made for it; return the answer and the record."""
    load = Load(world.ruling, {**draft.state(scope).records, record.id: record}.values())
    if load.over and world.ruling.reading("return-at-limit") == "refused":
        return refused(world, "layer_full"), None
    draft.put(scope, record)
    evictions = make_room(world, draft, scope, record.id, load)  # LM-8.34
    return done(world, "updated", record.current_revision, evictions), record


def _out_of_reach(world: World, record_id: object, found: Found | None) -> str | None:
    """Return why the panel does not touch a record, None where it may."""
    if world.switches["memory"] == "off":
        return "memory_disabled"
    if unseen(world, record_id, found):
        return world.ruling.reading("unconfirmed-lookup")
    if found is None:
        return "gone"
    status = world.judge(replace(found.record, status=None), "forget")
    return None if status == "ok" else status
