"""Answers of writes: what changed, or why nothing did, with what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .replies import Reply, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .store import BusyError
    from .world import World

_LINES = {"archived": "archived", "purged": "purged", "removed": "purged"}


def refused(world: World, reason: str | None, code: str | None = None) -> Reply:
    """Return the answer of a write that changed nothing; ``code`` names its text if not reason."""
    result: dict[str, Any] = {"changed": False}
    if reason is not None:
        result["reason"] = reason
    return said(result, code or reason or "unchanged", world.ruling)


def busy(world: World, error: BusyError) -> Reply:
    """Return the answer of a write that could not have the lock."""
    return refused(world, "busy", busy_code(world, error))


def busy_code(world: World, error: BusyError) -> str:
    """Return the code of the text for a busy answer: it hints at the lock where it persists."""
    exactly = error.in_a_row == world.ruling.number("persistent-busy-count")
    outcome = world.ruling.decide(
        "busy_text", in_a_row=error.in_a_row, exactly="yes" if exactly else "no"
    )
    return str(outcome["text"])  # LM-9.17


def done(
    world: World, line: str, revision: int | None = None, evictions: Iterable[str] = ()
) -> Reply:
    """Return the answer of a write that changed something; ``line`` names what it says."""
    result: dict[str, Any] = {"changed": True}
    if revision is not None:
        result["revision"] = revision  # LM-8.33
    notes = list(evictions)
    if notes:
        result["evictionNote"] = notes
    return Reply(result, "\n".join([world.ruling.line("lines", line), *notes]))


def answered(
    world: World,
    outcome: Mapping[str, Any],
    revision: int | None,
    evictions: Iterable[str] = (),
    error: BusyError | None = None,
) -> Reply:
    """Return the answer that a table gives with ``after``, ``reason`` and perhaps evictionNote.

    ``error`` is why the lock could not be had.
    """
    result: dict[str, Any] = {"changed": outcome["after"] != "unchanged"}
    if not absent(outcome, "reason"):
        result["reason"] = outcome["reason"]
    notes: list[str] = []
    if not absent(outcome, "evictionNote"):
        result["evictionNote"] = notes = list(evictions)  # LM-4.53
    if not result["changed"]:
        code = busy_code(world, error) if error is not None else result.get("reason", "unchanged")
        return said(result, code, world.ruling)
    if revision is not None:
        result["revision"] = revision  # LM-8.33
    line = _LINES.get(str(outcome["after"]), "updated")
    return Reply(result, "\n".join([world.ruling.line("lines", line), *notes]))


def absent(outcome: Mapping[str, Any], field: str) -> bool:
    """Return whether an outcome says that a field is absent, or knows none of that name."""
    return bool(outcome.get(field, "absent") == "absent")
