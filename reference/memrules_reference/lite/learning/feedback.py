"""rememberFeedback: what a user said of the project's habits comes into the learning chain."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memrules_reference.lite.answers import busy_code
from memrules_reference.lite.limits import Load
from memrules_reference.lite.replies import Reply, said
from memrules_reference.lite.store import BusyError, WriteFailedError

from .candidates import candidate_from, live_rule
from .doors import closed
from .next_state import next_learning_state
from .notebook import Feedback, Notebook

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.records import Record
    from memrules_reference.lite.store import Draft, Scope
    from memrules_reference.lite.world import Session, World

SOURCE = "agent/pre-step"
_KINDS = frozenset(
    {"user_support", "explicit_long_term_rule", "user_correction", "weak_evidence",
     "reset_evidence"}
)  # fmt: skip


def feedback(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{accepted, reason?}`` of one piece of feedback; a refused one leaves no trace."""
    del session
    reason = closed(world) or _unfit(world, args)
    scope = world.project_scope
    if reason is not None or scope is None:
        return _refused(world, reason or "project_unconfirmed")  # LM-7.6
    entry = Feedback(args["kind"], args["text"], world.clock.now(), args.get("ruleId"))
    try:
        with world.store.transact(scope) as draft:  # LM-7.23
            reason = _remember(world, draft, scope, entry)
    except BusyError as error:
        return _refused(world, "busy", busy_code(world, error))
    except WriteFailedError:
        return _refused(world, "write_failed")
    return Reply({"accepted": True}, "") if reason is None else _refused(world, reason)


def _unfit(world: World, args: Mapping[str, Any]) -> str | None:
    """Return why feedback is none that may be learned from."""
    if args.get("trusted") is not True or args.get("source") != SOURCE:
        return "untrusted_source"  # LM-7.3
    if args.get("role") != "user" or args.get("kind") == "assistant_claim":
        return "not_from_user"  # LM-7.9
    text = args.get("text")
    if args.get("kind") not in _KINDS or not isinstance(text, str) or not text.strip():
        return "invalid_arguments"
    if world.ruling.line("lines", "historical_note") in text:
        return "not_from_user"  # LM-7.10: a card that was injected, not the user's own words
    if len(text.encode("utf-8", "surrogatepass")) > world.rules.limit("lite", "max_body_bytes"):
        return "body_too_large"
    return None


def _remember(world: World, draft: Draft, scope: Scope, entry: Feedback) -> str | None:
    """Put feedback into a scope, with what follows from it at once; return why it cannot be."""
    state = draft.state(scope)
    if entry.rule is not None and not live_rule(state.records.get(entry.rule)):
        return "gone"
    candidate = candidate_from(entry, scope)
    if candidate is not None:
        if Load(world.ruling, {**state.records, candidate.id: candidate}.values()).over:
            return "layer_full"
        draft.put(scope, candidate)  # LM-7.4
        entry = replace(entry, candidate=candidate.id, text="")  # LM-8.12: the candidate has it
    if entry.rule is not None and entry.kind == "user_correction":
        _correct(world, draft, scope, state.records[entry.rule])
    key = f"fb_{secrets.token_hex(8)}"
    book = Notebook.of(draft.state(scope)).with_feedback(key, entry)
    draft.replace(scope, book.put_into(draft.state(scope)))
    return None


def _correct(world: World, draft: Draft, scope: Scope, rule: Record) -> None:
    """Let a correction act on its rule: it does not wait for the organizer."""
    now = world.clock.now()
    learning = next_learning_state(world.ruling, rule.learning or {}, "user_correction", now)
    if learning != rule.learning:
        revision = rule.current_revision + 1
        changed = replace(rule, learning=learning, revision=revision, updated_at=now, undo=())
        draft.put(scope, changed)


def _refused(world: World, reason: str, code: str | None = None) -> Reply:
    return said({"accepted": False, "reason": reason}, code or reason, world.ruling)
