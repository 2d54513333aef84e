"""A guard over a few lines of code: held by one process at a time, dropped with its process."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

if sys.platform == "win32":
    import msvcrt

    def _hold(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def _hold(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def guarded(path: pathlib.Path) -> Iterator[None]:
    """Wait for the guard that a file stands for, and hold it."""
    with path.open("ab") as file:
        _hold(file.fileno())
        yield
