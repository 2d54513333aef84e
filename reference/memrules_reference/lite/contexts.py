"""Section 三: the context of a request, its own by a contextId or the one that it is routed to."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .world import World


@dataclass(frozen=True, slots=True)
class Issued:
    """A contextId that was issued: for which project, session and turn, when, and with what."""

    project: str | None
    session: str
    turn: int
    at: int
    values: Mapping[str, Any]


def issue(world: World, kind: str, values: Mapping[str, Any]) -> str:
    """Return a new contextId that is valid, expired, or of another project."""
    context_id = f"ctx_{secrets.token_hex(12)}"
    session = world.session("main")
    project = f"{world.project_id}-other" if kind == "foreign" else world.project_id
    age = world.ruling.number("context-lifetime-ms") + 1 if kind == "expired" else 0
    at = world.clock.mono() - age
    world.issued[context_id] = Issued(project, session.name, session.turn, at, values)
    return context_id


def requested(world: World, args: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the input ``context`` of a request and the values that it brings of its own (LM-3.1).

    The input is one of routed_default, bind_without_id, valid_id, expired_id and foreign_id.
    """
    context_id = args.get("contextId")
    if context_id is None:
        return ("bind_without_id" if args.get("bindForRequest") else "routed_default"), {}  # LM-3.3
    issued = world.issued.get(context_id) if isinstance(context_id, str) else None
    if issued is None:
        unknown = world.ruling.reading("unknown-context-id")
        return ("expired_id" if unknown == "needs_context" else "routed_default"), {}  # LM-3.4
    if issued.project != world.project_id:
        return "foreign_id", {}  # LM-3.5
    over = world.session(issued.session).turn != issued.turn
    said = world.ruling.decide(
        "context_lifetime",
        age=max(0, world.clock.mono() - issued.at),
        turn="over" if over else "same",
    )
    if said["context"] == "expired":
        return "expired_id", {}
    return "valid_id", issued.values
