"""What a human does in the panel to the host's settings, and to data that is no content."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .answers import busy, done, refused
from .store import BusyError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .replies import Reply
    from .store import State
    from .world import Session, World


def switch(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of switching memory on or off, which works while it is off (LM-8.28)."""
    del session
    memory = args.get("memory")
    if memory not in ("on", "off"):
        return refused(world, "invalid_arguments")
    if world.switches["memory"] == memory:
        return refused(world, None)
    world.set_switches({"memory": memory})  # LM-8.1: a setting, no content
    return done(world, "updated")


def confirm_project(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of confirming the project's root (LM-5.15)."""
    del session, args
    if world.project_id is None:
        return refused(world, "needs_context")
    if world.confirmed:
        return refused(world, None)
    world.project = {**world.project, "confirmed": True}
    return done(world, "updated")


def tidy(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of forgetting picks whose record is not in use any more (LM-6.16)."""
    del session, args
    if world.switches["memory"] == "off":
        return refused(world, "memory_disabled")  # LM-6.18
    changed = False
    try:
        with world.store.transact(*world.scopes) as draft:
            for scope in world.scopes:
                state = draft.state(scope)
                slots = _kept(state)
                if slots != dict(state.slots):
                    draft.replace(scope, replace(state, slots=slots))
                    changed = True
    except BusyError as error:
        return busy(world, error)
    except WriteFailedError:
        return refused(world, "write_failed")
    return done(world, "updated") if changed else refused(world, None)


def repair(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of clearing away what interrupted writes left; no content changes."""
    del session, args
    if world.switches["memory"] == "off":
        return refused(world, "memory_disabled")  # LM-6.18
    try:
        left = world.store.clear_leftovers(world.scopes)
    except BusyError as error:
        return busy(world, error)
    except WriteFailedError:
        return refused(world, "write_failed")
    return done(world, "updated") if left else refused(world, None)


def _kept(state: State) -> dict[str, str]:
    """Return the picks of records that are live and still claim the slot."""
    return {
        key: picked
        for key, picked in state.slots.items()
        if picked in state.records
        and not state.records[picked].archived
        and state.records[picked].topic_key == key
    }
