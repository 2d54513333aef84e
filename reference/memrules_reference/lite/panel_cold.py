"""Cold bodies in the panel: a damaged one is set aside, and a verified one comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answers import done, refused
from .panel_writes import on_record
from .store import ColdError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .replies import Reply
    from .store import Draft
    from .world import Found, Session, World


def quarantine(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of setting a damaged cold body aside; a sound one stays (LM-8.16)."""

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        if found.record.body_at != "cold":
            return refused(world, None), None
        try:
            world.store.body(found.scope, found.record)
        except ColdError as error:
            if error.code == "cold_missing":
                return refused(world, "cold_missing"), None
            draft.quarantine(found.scope, found.record.id)
            return done(world, "updated", found.record.current_revision), None
        return refused(world, None), None

    return on_record(world, session, args.get("id"), act)


def restore_cold(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return the answer of bringing a cold or quarantined body back into the main store.

    Only a file that verifies comes back (LM-8.19); the record stays archived if it was.
    """

    def act(draft: Draft, found: Found) -> tuple[Reply, Record | None]:
        if found.record.body_at != "cold":
            return refused(world, None), None
        body = world.store.body_set_aside(found.scope, found.record)  # LM-8.18
        warm = draft.warm(found.scope, found.record, body)
        draft.put(found.scope, warm)
        return done(world, "updated", warm.current_revision), warm

    return on_record(world, session, args.get("id"), act)
