"""nextLearningState: what one event makes of a rule's learning fields, by the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.ruling import Ruling

SUPPORTING = frozenset({"user_support", "explicit_long_term_rule"})
LIFTING = frozenset({"explicit_long_term_rule", "reset_evidence"})
_SUPPORT = {"pending": ("trial_support", "trial-support"),
            "trial": ("active_support", "active-support")}  # fmt: skip


def next_learning_state(
    ruling: Ruling, learning: Mapping[str, Any], event: str, now: int
) -> dict[str, Any]:
    """Return the learning fields after an event; ``now`` in ms UTC.

    ``support`` is counted from the time at which the state began.  A state that the machine does
    not know stays: the gate refuses such a rule (LM-1.34).
    """
    changed = dict(learning)
    state = str(learning.get("state"))
    cell = ruling.rules.machines["lite/learning"].cells.get((state, event))
    if cell is None:
        return changed
    if event in SUPPORTING:
        changed["support"] = supports(learning) + 1  # LM-7.10
    if event in LIFTING:
        changed.pop("paused", None)  # LM-7.13
    reached = _support(ruling, state, supports(changed))
    return entered(ruling, changed, cell.next_state({"support": reached}), now)


def entered(ruling: Ruling, learning: Mapping[str, Any], state: str, now: int) -> dict[str, Any]:
    """Return the learning fields of a rule that comes into a state, or stays in it."""
    if learning.get("state") == state:
        return dict(learning)
    changed = {**learning, "state": state, "support": 0}
    changed.pop("trialUntil", None)
    if state == "trial":
        changed["trialUntil"] = now + ruling.number("trial-length-ms")
    return changed


def supports(learning: Mapping[str, Any]) -> int:
    """Return how often a rule was supported since its state began."""
    found = learning.get("support")
    return found if isinstance(found, int) else 0


def _support(ruling: Ruling, state: str, count: int) -> str:
    """Return the input ``support`` of the machine."""
    if state not in _SUPPORT:
        return "below"
    table, needed = _SUPPORT[state]
    exactly = "yes" if count == ruling.number(needed) else "no"
    return str(ruling.decide(table, supports=count, exactly=exactly)["support"])
