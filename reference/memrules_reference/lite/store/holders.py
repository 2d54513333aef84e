"""Who holds a lock: a process is known by its pid, its start time and its host."""

from __future__ import annotations

import json
import platform
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import psutil

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

Holder = Literal["live", "dead", "unknown"]

_TOLERANCE_S = 1.0  # a start time is derived from the clock, which may be set meanwhile


@lru_cache(maxsize=8)
def _start_of(pid: int) -> float:
    return psutil.Process(pid).create_time()


def description_of(pid: int, nonce: str) -> dict[str, Any]:
    """Return what a lock says of a running process; start in seconds since the epoch."""
    return {"pid": pid, "start": _start_of(pid), "host": platform.node(), "nonce": nonce}


def read_holder(lock: pathlib.Path) -> Mapping[str, Any] | None:
    """Return what a lock file says; None where there is none, and {} where it says nothing."""
    try:
        found = json.loads(lock.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def judge_holder(said: Mapping[str, Any]) -> Holder:
    """Return whether the process that a lock names is live, dead, or cannot be known.

    Age is no proof of death; a pid that another process has by now is one (LM-8.21, LM-8.22).
    """
    pid, start = said.get("pid"), said.get("start")
    if said.get("host") != platform.node() or not isinstance(pid, int) or pid <= 0:
        return "unknown"
    with suppress(psutil.AccessDenied):
        try:
            process = psutil.Process(pid)
            if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
                return "dead"
            began = process.create_time()
        except psutil.NoSuchProcess:
            return "dead"
        if isinstance(start, int | float):
            return "live" if abs(began - start) <= _TOLERANCE_S else "dead"
    return "unknown"
