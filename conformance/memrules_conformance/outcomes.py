"""From what a check raised to what is said of it: wrong, could not be asked, or our own fault."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from hypothesis.errors import Flaky

from .checks import Check, Mismatch, Outcome, TargetFault, Unsupported, Verdict
from .targets import StartError

if TYPE_CHECKING:
    from .bench import OpenBench


def play(check: Check, bench: OpenBench) -> Outcome:
    """Return what came of running a check."""
    try:
        check.run(bench)
    except Exception as error:  # noqa: BLE001 each kind has its verdict
        return outcome_of(check, error)
    return Outcome(check, Verdict.PASS)


def finish(check: Check, bench: OpenBench) -> Outcome | None:
    """End the world of a check; return an outcome if that shows that the check has not passed."""
    try:
        owed = bench.finish()
    except Exception as error:  # noqa: BLE001 each kind has its verdict
        return outcome_of(check, error)
    return Outcome(check, Verdict.ERROR, owed) if owed else None


def outcome_of(check: Check, error: Exception) -> Outcome:
    """Return the outcome that an exception stands for."""
    if isinstance(error, ExceptionGroup):
        found, others = error.split((Mismatch, TargetFault))
        fault = error.subgroup(TargetFault)
        if fault is not None:
            error = _first(fault)
        elif isinstance(error, Flaky):
            return Outcome(check, Verdict.ERROR, f"unstable: {_first(error)}")
        elif found is not None and others is None:
            error = _first(found)
    if isinstance(error, Flaky):
        return Outcome(check, Verdict.ERROR, f"unstable: {error}")
    if isinstance(error, Mismatch):
        text = f"{error}; {error.note}" if error.note else str(error)
        return Outcome(check, Verdict.FAIL, text, error.expected, error.actual, error.where)
    if isinstance(error, Unsupported):
        return Outcome(check, Verdict.UNSUPPORTED, str(error))
    if isinstance(error, TargetFault | StartError):
        return Outcome(check, Verdict.ERROR, str(error))
    return Outcome(check, Verdict.HARNESS_ERROR, "".join(traceback.format_exception(error)))


def _first(group: BaseException) -> Exception:
    """Return the first exception in a group of groups."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    assert isinstance(group, Exception)
    return group
