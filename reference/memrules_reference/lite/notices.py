"""Section 九: one failure is announced once a turn, wherever it happened (LM-9.22, LM-9.23)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .replies import Reply
    from .world import Session, World


def announce(
    world: World, session: Session, op: str, args: Mapping[str, Any], reply: Reply
) -> None:
    """Keep the notice of a failed operation, unless the turn has one of the same failure."""
    code = _failure(reply.result)
    message = reply.result.get("message")
    if code is None or message is None:
        return
    by_cause = world.ruling.reading("notice-key") == "status_and_cause"
    key = (code, message["what"]) if by_cause else (code, op, str(args.get("id", "")))
    known = session.notices.get(key, [])
    said = world.ruling.decide("notice", notices=len(known) + 1)["notice"]
    if said == "shown":
        session.notices[key] = [*known, {"code": code, **message}]


def shown(session: Session) -> list[dict[str, Any]]:
    """Return the notices of the turn, in the order in which they came."""
    return [notice for notices in session.notices.values() for notice in notices]


def _failure(result: Mapping[str, Any]) -> str | None:
    """Return the code of a failure, or None: an empty search and a question are none (LM-2.40)."""
    if result.get("changed") is False:
        return result.get("reason")
    status = result.get("status", "ok")
    return None if status == "ok" else str(status)
