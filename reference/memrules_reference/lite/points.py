"""Named moments inside an operation: there it can be stopped, or made to fail."""

from __future__ import annotations

import errno
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAMES = (
    "transact.locked",
    "cold.written",
    "cold.synced",
    "transact.written",
    "transact.intent",
    "transact.replacing",
    "transact.replaced",
    "purge.removing",
    "purge.removed",
    "transact.published",
    "transact.done",
    "recall.projected",
    "recall.admitted",
    "recall.charged",
    "recall.published",
)
"""The points of a write and of an injection, in the order in which each passes them."""


@dataclass
class _Armed:
    """A fault that waits for its point: the n-th time, or any time."""

    point: str
    n: int | None
    error: str = ""
    times: int = 1

    def meets(self, point: str, n: int) -> bool:
        return self.point in ("*", point) and self.n in (None, n) and self.times > 0


def _armed(where: str, error: str = "", times: int = 1) -> _Armed:
    point, _, number = where.partition("#")
    return _Armed(point, int(number) if number else None, error, times)


class Points:
    """Counts the moments of the operation that runs, and lets armed faults happen at theirs.

    ``pause(point, n)`` is called at a moment where the operation is to stop; it returns when the
    operation may go on.
    """

    def __init__(self) -> None:
        self.pause: Callable[[str, int], None] | None = None
        self._counts: Counter[str] = Counter()
        self._stop: _Armed | None = None
        self._fail: _Armed | None = None

    def begin(self) -> None:
        """Begin to count for a new operation."""
        self._counts.clear()

    def arm(self, fault: Mapping[str, Any]) -> None:
        """Arm ``stop_at`` or ``fail_at``: POINT, POINT#n, or ``*`` for every point."""
        if "stop_at" in fault:
            self._stop = _armed(fault["stop_at"])
        else:
            self._fail = _armed(fault["fail_at"], fault["error"], fault.get("times", 1))

    def disarm(self) -> None:
        """Forget every fault."""
        self._stop = self._fail = None
        self.begin()

    def reach(self, point: str) -> None:
        """Say that the operation is at a point; may block, or raise OSError."""
        self._counts[point] += 1
        n = self._counts[point]
        if self._stop is not None and self._stop.meets(point, n):
            if self._stop.point != "*":
                self._stop = None
            if self.pause is not None:
                self.pause(point, n)
        if self._fail is not None and self._fail.meets(point, n):
            self._fail.times -= 1
            raise OSError(getattr(errno, self._fail.error), self._fail.error)
