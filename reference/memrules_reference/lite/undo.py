"""Undo by id and revision: the change that led to exactly this revision is taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .answers import answered, refused
from .changes import archive, purge, relocate
from .citations import cite_record
from .limits import Load, make_room
from .records import ACTIVE, Record, record_of
from .slots import refused_slot
from .store import GLOBAL, BusyError, ColdError, Scope, WriteFailedError
from .targets import find, held, ownership, unseen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .replies import Reply
    from .store import Draft
    from .world import Found, Session, World


def undo(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{changed}`` with the new revision, or with the reason why nothing was undone."""
    undoing = _Undoing(world, args.get("id"), args.get("revision"))
    error: BusyError | None = None
    try:
        undoing.run()
    except BusyError as busy_error:
        error = busy_error
        undoing.inputs["lock"] = "timeout"
    except WriteFailedError:
        undoing.inputs["io"] = "fails"
    return undoing.answer(session, error)


class _Undoing:
    """One undo: the inputs of ``undo_result`` as they become known, and what came of it."""

    def __init__(self, world: World, record_id: object, revision: object) -> None:
        self.world = world
        self.record_id = record_id
        self.revision = revision
        self.body = ""
        self.evictions: list[str] = []
        self.after: Record | None = None
        self.obstacle: Reply | None = None
        self.inputs = {
            "switch": world.switches["memory"], "lock": "acquired", "record": "present",
            "owner": "fits", "revision": "equal", "snapshot": "available", "last_change": "update",
            "cold": "ok", "capacity": "room", "io": "ok",
        }  # fmt: skip

    def run(self) -> None:
        """Take the change back unless the table has something against it."""
        found = find(self.world, self.record_id)
        self._describe(found)
        if found is None or self._foreseen() == "unchanged":
            return
        with held(self.world, found, *self._scopes_of(found)) as (draft, current):
            self._describe(current)
            if current is not None and self.inputs["last_change"] == "archive":
                self.inputs["cold"] = self._read(current)
            if current is None or self._foreseen() == "unchanged":
                return
            try:
                self._apply(draft, current)
            except ColdError as damaged:
                draft.forget_changes()
                self.obstacle = refused(self.world, damaged.code)

    def answer(self, session: Session, error: BusyError | None) -> Reply:
        """Return what the table says of all that is known."""
        if self.obstacle is not None:
            return self.obstacle
        outcome = self.world.ruling.decide("undo_result", **self.inputs)
        revision = None
        if outcome["after"] != "unchanged" and self.after is not None:
            revision = self.after.current_revision
            cite_record(session, "updates", self.after)
        return answered(self.world, outcome, revision, self.evictions, error)

    def _foreseen(self) -> str:
        """Return what is to become of the record, before it is known whether the write succeeds."""
        return str(self.world.ruling.rules.decide("lite/undo_result", self.inputs).outcome["after"])

    def _describe(self, found: Found | None) -> None:
        """Learn the inputs that describe the record and its last change."""
        if unseen(self.world, self.record_id, found):
            self.inputs["record"] = "not_in_global_while_unconfirmed"
            return
        if found is None:
            self.inputs["record"] = "absent_or_purged"
            return
        record = found.record
        equal = type(self.revision) is int and self.revision == record.current_revision  # LM-8.15
        self.inputs |= {"owner": ownership(self.world, found), "record": "present"}
        self.inputs["revision"] = "equal" if equal else "different"
        self.inputs["snapshot"] = "available" if record.undo else "none"
        if record.undo:
            self.inputs["last_change"] = record.undo[-1].change

    def _read(self, found: Found) -> str:
        """Return the input ``cold``: whether the body of an archived record verifies (LM-8.18)."""
        try:
            self.body = self.world.store.body(found.scope, found.record)
        except ColdError as error:
            return error.code.removeprefix("cold_")
        return "ok"

    def _apply(self, draft: Draft, found: Found) -> None:
        """Bring about in a draft what the table says of the record."""
        self._weigh(draft, found, self._foreseen())
        after = self._foreseen()
        if after in ("archived", "removed"):
            self.after = self._uncreate(draft, found, after)
        elif after != "unchanged":
            self._return(draft, found, after)

    def _weigh(self, draft: Draft, found: Found, after: str) -> None:
        """Learn whether the layer that the record comes back into has room for it."""
        target = self._target(found, after)
        if target not in draft.scopes:
            self.inputs["owner"] = "unverifiable"  # it came from a project that is not known now
        elif after not in ("archived", "removed"):
            load = self._load(draft, target, self._former(found, after))
            self.inputs["capacity"] = "hard_limit" if load.over else "room"

    def _return(self, draft: Draft, found: Found, after: str) -> None:
        """Give the record back what its last change took, and make room for it (LM-8.34)."""
        target, former = self._target(found, after), self._former(found, after)
        if self._slot_refuses(found, former, target):
            return
        load = self._load(draft, target, former)
        if after == "live_again" and found.record.undo[-1].before.get("bodyAt") != "cold":
            former = draft.warm(found.scope, former, self.body)
        if target != found.scope:
            former = relocate(self.world, draft, found.scope, target, former)
        draft.put(target, former)
        self.after = former
        self.evictions = make_room(self.world, draft, target, former.id, load)

    def _load(self, draft: Draft, target: Scope, former: Record) -> Load:
        others = {**draft.state(target).records, former.id: former}
        return Load(self.world.ruling, others.values())

    def _uncreate(self, draft: Draft, found: Found, after: str) -> Record:
        """Undo a creation: the record goes to the archive, or for good (LM-8.32)."""
        if after == "archived":
            archived = replace(archive(self.world, draft, found.scope, found.record), undo=())
            draft.put(found.scope, archived)
            return archived
        revision = purge(self.world, draft, found.scope, found.record)
        return Record(id=found.record.id, layer=found.record.layer, revision=revision)

    def _former(self, found: Found, after: str) -> Record:
        """Return the record with what its last change took from it, at its next revision."""
        record, step = found.record, found.record.undo[-1]
        before = record_of(step.before, step.layer, record.id)
        former = record
        if after == "live_again":
            former = replace(record, status=ACTIVE)
        elif after == "former_values":
            former = replace(_with_body_of(before, record), status=record.status)
        higher = self.world.ruling.reading("revision-after-undo") == "higher"
        return replace(
            former,
            revision=record.current_revision + 1 if higher else before.current_revision,
            updated_at=self.world.clock.now(),
            undo=record.undo[:-1],
        )

    def _target(self, found: Found, after: str = "former_layer") -> Scope:
        """Return the scope that a record goes to, which is where it is but for a move."""
        step = found.record.undo[-1]
        if after != "former_layer" or step.layer == found.scope.layer:
            return found.scope
        return GLOBAL if step.layer == "global" else Scope(str(step.before.get("ownerProjectId")))

    def _scopes_of(self, found: Found) -> tuple[Scope, ...]:
        """Return the scopes beside its own that an undo of a record writes to."""
        if not found.record.undo:
            return ()
        target = self._target(found)
        return (target,) if target in self.world.scopes else ()

    def _slot_refuses(self, found: Found, former: Record, target: Scope) -> bool:
        """Return whether the former state would come back into a slot that is taken by now."""
        self.obstacle = refused_slot(self.world, target, former, found.record)
        return self.obstacle is not None


def _with_body_of(before: Record, record: Record) -> Record:
    """Return a former record with its body where the body is now, if the change left it alone."""
    if before.body_at != "cold":
        return before
    if record.body_at == "cold":
        return replace(before, cold=record.cold)
    return replace(before, body=record.body, body_at="hot", cold=None)  # back from cold storage
