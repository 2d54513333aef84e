"""The record that a write is about: found, held under its lock, and described to the tables."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from .gate import owner_of
from .records import valid_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .store import Draft, Scope
    from .world import Found, World


@contextmanager
def held(world: World, found: Found, *others: Scope) -> Iterator[tuple[Draft, Found | None]]:
    """Hold the lock of a found record's scope, and of others, and give the record as it is now.

    None stands for a record that is gone by now; one that was moved meanwhile is followed.  Raises
    BusyError or WriteFailedError.
    """
    while True:
        with ExitStack() as stack:
            scopes = dict.fromkeys((*others, found.scope))
            draft = stack.enter_context(world.store.transact(*scopes))
            current = draft.state(found.scope).records.get(found.record.id)
            elsewhere = None if current is not None else world.find(found.record.id)
            if elsewhere is None:
                yield draft, None if current is None else replace(found, record=current)
                return
        found = elsewhere


def find(world: World, record_id: object) -> Found | None:
    """Return the record with an id, if it has the form of one and is known."""
    if not isinstance(record_id, str) or not valid_id(record_id):
        return None
    return world.find(record_id)


def unseen(world: World, record_id: object, found: Found | None) -> bool:
    """Return whether an id may belong to a project that is not confirmed (LM-3.53)."""
    return (found is None or not found.visible) and not world.confirmed and valid_id(record_id)


def ownership(world: World, found: Found | None) -> str:
    """Return how a record's owner fits the current project: fits, mismatch or unverifiable."""
    if found is None:
        return "fits"
    owner = owner_of(found.record, world.judged_in(world.routed()))
    return "fits" if owner in ("unset", "match") else owner
