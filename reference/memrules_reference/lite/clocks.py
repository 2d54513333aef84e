"""The clock of a world: the machine's, or one that moves only when it is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """Two times in whole milliseconds: ``now`` (UTC) and ``mono`` (never goes back).

    A manual clock moves with ``set`` and ``advance`` alone; waiting advances its ``mono``.
    """

    def __init__(self, *, manual: bool, now: int = 0, mono: int = 0) -> None:
        self._manual = manual
        self._now = now
        self._mono = mono
        self._alarms: list[tuple[int, Callable[[], None]]] = []

    def now(self) -> int:
        """Return the time of day."""
        return self._now if self._manual else time.time_ns() // 1_000_000

    def mono(self) -> int:
        """Return the time that only goes forward."""
        return self._mono if self._manual else time.monotonic_ns() // 1_000_000

    def set(self, *, now: int | None = None, mono: int | None = None) -> None:
        """Set a manual clock."""
        self._now = self._now if now is None else now
        self._mono = self._mono if mono is None else mono
        self._ring()

    def advance(self, ms: int) -> None:
        """Let both times of a manual clock pass."""
        self.set(now=self._now + ms, mono=self._mono + ms)

    def wait(self, ms: int) -> None:
        """Let time pass: sleep, or advance ``mono`` of a manual clock."""
        if self._manual:
            self.set(mono=self._mono + ms)
            return
        time.sleep(ms / 1000)
        self._ring()

    def at(self, mono: int, alarm: Callable[[], None]) -> None:
        """Have something done once, the first time that the clock is seen to have come so far."""
        self._alarms.append((mono, alarm))

    def _ring(self) -> None:
        now = self.mono()
        due = [alarm for when, alarm in self._alarms if when <= now]
        self._alarms = [entry for entry in self._alarms if entry[0] > now]
        for alarm in due:
            alarm()
