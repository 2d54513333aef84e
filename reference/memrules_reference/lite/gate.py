"""Section 一: the one gate. Whether a record may be used, for a purpose, in a runtime, now.

Nothing else in this package decides that (LM-0.13, LM-0.15), and the answer hangs on the four
arguments alone (LM-0.14).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .conditions import Context, status_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_spec import Decision

    from .records import Record
    from .ruling import Ruling


@dataclass(frozen=True, slots=True)
class Runtime:
    """What a record is judged in: the project, whether it is confirmed, the flag, the context."""

    project: str | None
    confirmed: bool
    experimental: Any = None
    context: Context = field(default_factory=Context)


def eligibility(
    record: Record | None, runtime: Runtime, purpose: str, now: int, ruling: Ruling
) -> str:
    """Return ok, gone, not_applicable or needs_context (LM-1.28); ``now`` in ms UTC."""
    return str(judged(record, runtime, purpose, now, ruling).outcome["status"])


def judged(
    record: Record | None, runtime: Runtime, purpose: str, now: int, ruling: Ruling
) -> Decision:
    """Return the gate's decision with the row that took it."""
    inputs: dict[str, Any] = {
        "purpose": purpose,
        "confirmed": "yes" if runtime.confirmed else "no",
        "source": "off" if runtime.experimental is False else "not_off",  # LM-1.11
    }
    if record is None:
        return ruling.decision("eligibility", {**inputs, **_ABSENT})
    return ruling.decision(
        "eligibility",
        {
            **inputs,
            "presence": "archived" if record.archived else "live",  # LM-1.5
            "owner": owner_of(record, runtime),
            "origin": "project_evolution" if record.experimental else "ordinary",  # LM-1.10
            "learning": _learning(record.learning or {}, now, ruling),
            "hold": _hold(record.learning or {}, ruling),
            "review": "legacy_unreviewed" if is_unreviewed(record, ruling) else "other",
            "status_of": status_of(record, runtime.context, ruling),
        },
    )


_ABSENT = {
    "presence": "absent",
    "owner": "unset",
    "origin": "ordinary",
    "learning": "active",
    "hold": "none",
    "review": "other",
    "status_of": "ok",
}


def owner_of(record: Record, runtime: Runtime) -> str:
    """Return how a record's owner compares with the current project: an input of the tables."""
    if record.owner_project_id is None:
        return "unset"  # LM-1.8
    if not runtime.confirmed:
        return "unverifiable"
    return "match" if record.owner_project_id == runtime.project else "mismatch"  # LM-1.6


def is_unreviewed(record: Record, ruling: Ruling) -> bool:
    """Tell whether a record still waits for the review of a migration."""
    if record.review_state is None:
        return ruling.reading("missing-review-state") == "unreviewed"  # LM-1.16
    return record.unreviewed


def _learning(learning: Mapping[str, Any], now: int, ruling: Ruling) -> str:
    """Return the learning state that the gate sees at a moment."""
    state, until = learning.get("state"), learning.get("trialUntil")
    if state in ("active", "pending", "paused"):
        return str(state)
    if state != "trial" or not isinstance(until, int):
        return "unreadable"
    length = ruling.number("trial-length-ms")
    age = max(0, now - (until - length))
    exactly = "yes" if age == length else "no"
    return str(ruling.decide("trial_validity", age=age, exactly=exactly)["learning"])  # LM-1.13


def _hold(learning: Mapping[str, Any], ruling: Ruling) -> str:
    """Return what holds a rule back beside its state."""
    if learning.get("paused"):
        return "paused_flag"  # LM-1.14
    reason = learning.get("blockedReason")
    if reason or (reason is not None and ruling.reading("empty-blocked-reason") == "blocks"):
        return "blocked_reason"  # LM-1.15
    return "none"
