"""The write lock of one scope: a file that its holder creates exclusively."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from .guard import guarded
from .holders import description_of, judge_holder, read_holder

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

    from memrules_reference.lite.clocks import Clock
    from memrules_spec import Rules

    from .files import Files

LOCK = "lock"
_GUARD = "lock.guard"
_POLL_MS = 25


class BusyError(Exception):
    """The lock could not be had in the time that the rules give, for the n-th time in a row."""

    def __init__(self, in_a_row: int = 1) -> None:
        super().__init__(in_a_row)
        self.in_a_row = in_a_row


@contextmanager
def locked(files: Files, folder: pathlib.Path, rules: Rules, clock: Clock) -> Iterator[bool]:
    """Hold the lock of the scope in ``folder``, waiting for it as long as the rules say.

    Gives whether a lock was there that a dead process had left.  Raises BusyError, or OSError where
    no lock can be written.
    """
    nonce = secrets.token_hex(8)
    began = clock.mono()
    reclaimed = False
    while not _create(files, folder, nonce):
        if _reclaim(files, folder, rules):
            reclaimed = True
            continue
        waited = clock.mono() - began + _POLL_MS
        if rules.decide("lite/lock_wait", {"waited": waited}).outcome["writer"] == "busy":
            raise BusyError  # LM-8.20
        clock.wait(_POLL_MS)
    try:
        yield reclaimed
    finally:
        _release(files, folder / LOCK, nonce)


def _create(files: Files, folder: pathlib.Path, nonce: str) -> bool:
    """Create the lock file, whole at once; return whether there was none."""
    draft = folder / f"{LOCK}.{nonce}.tmp"
    files.write(draft, json.dumps(description_of(os.getpid(), nonce)).encode())
    try:
        files.link(draft, folder / LOCK)
    except FileExistsError:
        return False
    finally:
        files.remove(draft)
    return True


def _reclaim(files: Files, folder: pathlib.Path, rules: Rules) -> bool:
    """Remove a lock that may be taken over; return whether there was one.

    The guard, which the system drops with its process, lets one at a time look and remove: so
    nobody removes the lock that another took in the place of the dead one.
    """
    if not may_take_over(folder, rules):
        return False
    with guarded(folder / _GUARD):
        if not may_take_over(folder, rules):
            return False
        files.remove(folder / LOCK)
        return True


def may_take_over(folder: pathlib.Path, rules: Rules) -> bool:
    """Return whether a lock is there that the rules let a writer take over."""
    said = read_holder(folder / LOCK)
    if said is None:
        return False
    outcome = rules.decide("lite/lock_holder", {"holder": judge_holder(said)}).outcome
    return outcome["lock"] == "take_over"


def _release(files: Files, lock: pathlib.Path, nonce: str) -> None:
    """Remove the lock if it is still ours; a lock that cannot be removed dies with its process."""
    said = read_holder(lock)
    if said is not None and said.get("nonce") == nonce:
        with suppress(OSError):
            files.remove(lock)
