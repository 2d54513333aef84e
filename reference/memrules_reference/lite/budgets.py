"""The request-level budget of a turn: admit first, account afterwards, give back on failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .world import Session, World

_INPUTS = {"reads": "entries", "bytes": "bytes", "bodies": "bodies"}


def fits(world: World, session: Session, **more: int) -> bool:
    """Tell whether a delivery fits: ``more`` of reads, bytes or bodies (LM-1.27).

    A world with another budget than the declared one begins with the difference used.
    """
    used = {"entries": 0, "bytes": 0, "bodies": 0}
    for name, amount in more.items():
        spent = getattr(session.ledger, name) + amount
        declared = world.ruling.number(f"request-{name}")
        used[_INPUTS[name]] = max(0, spent + declared - world.budget[name])
    return bool(world.ruling.decide("request_admission", **used)["delivery"] == "fits")


def charge(session: Session, **more: int) -> None:
    """Account for what was delivered; negative amounts give back (LM-10.10)."""
    for name, amount in more.items():
        setattr(session.ledger, name, getattr(session.ledger, name) + amount)
