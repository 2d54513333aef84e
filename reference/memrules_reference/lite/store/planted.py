"""Locks that somebody else seems to hold: put there to see what a writer makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Literal

from .holders import description_of
from .lock import LOCK

if TYPE_CHECKING:
    from memrules_reference.lite.clocks import Clock

    from .scopes import Scope
    from .store import Store

Planted = Literal["live", "dead", "unknown", "reused_pid"]

_HOUR_S = 3600.0


def plant_lock(
    store: Store, scope: Scope, holder: Planted, clock: Clock, release_after_ms: int | None = None
) -> None:
    """Put a lock into a scope, held by a process of the given kind; a live one may release it."""
    folder = store.root / scope.folder
    store.files.make_folder(folder)
    lock = folder / LOCK
    store.files.remove(lock)
    store.files.write(lock, json.dumps(_said_by(holder)).encode())
    if release_after_ms is not None:
        clock.at(clock.mono() + release_after_ms, lambda: store.files.remove(lock))


def _said_by(holder: Planted) -> dict[str, Any]:
    """Return what the lock of such a holder says."""
    if holder == "unknown":
        return {"note": "held"}
    said = description_of(os.getpid(), "planted")
    if holder == "reused_pid":
        return {**said, "start": said["start"] - _HOUR_S}
    if holder == "dead":
        with subprocess.Popen([sys.executable, "-c", ""]) as process:
            pid = process.pid
        return {**said, "pid": pid}
    return said
