"""learning_organize: one run of the organizer, charged first, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_reference.lite.answers import busy_code
from memrules_reference.lite.replies import Reply, said
from memrules_reference.lite.store import BusyError, WriteFailedError

from .commit import commit_learning
from .doors import closed
from .notebook import Notebook
from .organizer import Organizer, OrganizerFailedError, Scripted
from .parsing import NotAnOutputError, parse_output
from .receipts import receipt, with_receipt
from .runs import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.store import Draft, Scope
    from memrules_reference.lite.world import Session, World

    from .parsing import Change


class _NotRunError(Exception):
    """A run that does not begin; ``outcome`` says why."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def organize(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{outcome, receipt}`` of one run; the receipt is null where none was charged."""
    del session, args
    scope = world.project_scope
    reason = closed(world)
    if reason is not None or scope is None:
        return _not_run(world, reason or "project_unconfirmed")  # LM-7.6
    try:
        run = _charged(world, scope)
    except _NotRunError as error:
        return _not_run(world, error.outcome)
    except BusyError as error:
        return _not_run(world, "busy", busy_code(world, error))
    except WriteFailedError:
        return _not_run(world, "write_failed")
    try:
        output = _organizer(world, run)(run.question())
        made = _commit(world, scope, run, parse_output(output, run, world.ruling))
    except OrganizerFailedError as error:
        made = _failed(world, scope, run, error.outcome)
    except NotAnOutputError:
        made = _failed(world, scope, run, "parse_error")
    except (BusyError, WriteFailedError):
        made = receipt(world.ruling, run, "llm_error", 0, "write_failed")
    result = {"outcome": made["outcome"], "receipt": made}
    return (
        Reply(result, "")
        if made["outcome"] == "ok"
        else said(result, str(made["outcome"]), world.ruling)
    )


def _charged(world: World, scope: Scope) -> Run:
    """Return a run that is charged, with a receipt that stands if it never ends (LM-7.20)."""
    now = world.clock.now()
    with world.store.transact(scope) as draft:
        state = draft.state(scope)
        run = Run.over(state, now)
        if not run.feedback:
            raise _NotRunError("nothing_pending")
        book = Notebook.of(state).with_run(now)
        if world.ruling.decide("organizer_quota", runs=book.runs)["run"] == "refused":
            raise _NotRunError("quota_used_up")
        begun = receipt(world.ruling, run, "llm_error", 0, "")
        draft.replace(scope, book.put_into(with_receipt(state, begun)))
    return run


def _organizer(world: World, run: Run) -> Organizer:
    """Return the organizer of a world: the host's, or the next answer of its script."""
    if world.organizer is not None:
        return world.organizer
    queued = world.script.get("organizer", [])
    return Scripted(queued.pop(0) if queued else None, run, world.handles)


def _commit(world: World, scope: Scope, run: Run, changes: list[Change]) -> dict[str, Any]:
    """Return the receipt of a run whose output could be read, with what of it was committed."""
    with world.store.transact(scope) as draft:  # LM-7.23
        done = commit_learning(world, draft, scope, run, changes)
        outcome = "stale" if done.stale and not done.applied else "ok"
        made = receipt(world.ruling, run, outcome, done.applied, "stale" if done.stale else "")
        _file(draft, scope, made)
    return made


def _failed(world: World, scope: Scope, run: Run, outcome: str) -> dict[str, Any]:
    """Return the receipt of a run that failed, which is all that it leaves (LM-7.18)."""
    made = receipt(world.ruling, run, outcome, 0, "")
    try:
        with world.store.transact(scope) as draft:
            _file(draft, scope, made)
    except (BusyError, WriteFailedError):
        return receipt(world.ruling, run, "llm_error", 0, "")  # the one that was filed first
    return made


def _file(draft: Draft, scope: Scope, made: Mapping[str, Any]) -> None:
    draft.replace(scope, with_receipt(draft.state(scope), made))


def _not_run(world: World, outcome: str, code: str | None = None) -> Reply:
    return said({"outcome": outcome, "receipt": None}, code or outcome, world.ruling)
