"""That a record was used: noted beside it, or written like content where that is declared."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from .store import BusyError, WriteFailedError

if TYPE_CHECKING:
    from .records import Record
    from .store import Scope
    from .world import World


def note_use(world: World, scope: Scope, record_id: str) -> None:
    """Remember that a record is used now; what was delivered stays delivered if that fails.

    Beside the record it changes no generation and needs no lock (LM-3.54).
    """
    if world.ruling.reading("access-metadata") == "write":
        with suppress(BusyError, WriteFailedError), world.store.transact(scope) as draft:
            draft.replace(scope, replace(draft.state(scope)))
    world.store.touch(scope, record_id, world.clock.now())


def note_sight(world: World, record: Record) -> None:
    """Remember that a record of a visible layer was shown, where that counts as use (LM-4.52)."""
    if world.ruling.reading("unread-order") == "any_use":
        note_use(world, world.scope_of(record), record.id)
