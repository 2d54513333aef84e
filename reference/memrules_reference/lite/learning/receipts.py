"""Receipts of the organizer's runs: what became of each, failed ones with their reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memrules_reference.lite.replies import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.ruling import Ruling
    from memrules_reference.lite.store import State
    from memrules_reference.lite.world import Session, World

    from .runs import Run

_KEPT = 200


def receipt(ruling: Ruling, run: Run, outcome: str, applied: int, problem: str) -> dict[str, Any]:
    """Return the receipt of a run; ``problem`` is a detail of its failure, or empty."""
    reason = "" if outcome == "ok" and not problem else ruling.message(problem or outcome)["what"]
    return {
        "runId": run.id,
        "at": run.at,
        "outcome": outcome,
        "reason": reason,
        "quotaCharged": 1,
        "changesApplied": applied,
    }


def with_receipt(state: State, made: Mapping[str, Any]) -> State:
    """Return a state with a receipt, in the place of an earlier one of the same run."""
    others = [one for one in state.receipts if one.get("runId") != made["runId"]]
    return replace(state, receipts=(*others, made)[-_KEPT:])


def receipts(world: World) -> list[dict[str, Any]]:
    """Return the receipts of the project, the oldest first."""
    scope = world.project_scope
    return [] if scope is None else [dict(one) for one in world.store.read(scope).receipts]


def panel_receipts(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{receipts}``, and a line for each that shows why it failed (LM-7.21)."""
    del session, args
    listed = receipts(world)
    lines = [f"{one['at']} {one['outcome']} {one['reason']}".rstrip() for one in listed]
    return Reply({"receipts": listed}, "\n".join(lines))
