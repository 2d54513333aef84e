"""When each record was last read: a log beside the state, which needs no lock.

It is no content (LM-3.54): a line more changes neither revision nor generation, and a read
succeeds also where none can be written.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Collection, Mapping

    from .files import Files

LOG = "access.log"
_LARGE = 128 * 1024


def note_read(files: Files, folder: pathlib.Path, record_id: str, now: int) -> None:
    """Say that a record was read at a time (ms, UTC)."""
    with suppress(OSError):
        files.append(folder / LOG, f"\n{now} {record_id}\n".encode())


def read_times(folder: pathlib.Path) -> Mapping[str, int]:
    """Return the latest time (ms, UTC) at which each record was read."""
    try:
        raw = (folder / LOG).read_bytes()
    except OSError:
        return {}
    times: dict[str, int] = {}
    for line in raw.decode("utf-8", "replace").splitlines():
        time, _, record_id = line.partition(" ")
        with suppress(ValueError):  # half a line after a crash
            times[record_id] = max(int(time), times.get(record_id, int(time)))
    return times


def shorten(files: Files, folder: pathlib.Path, kept: Collection[str]) -> None:
    """Write a long log anew, with one line for each kept record; the lock must be held.

    A line that is added in this very moment may be lost: a record then counts as read earlier.
    """
    log = folder / LOG
    with suppress(OSError):
        if log.stat().st_size <= _LARGE:
            return
        times = read_times(folder)
        lines = [f"{time} {record_id}\n" for record_id, time in times.items() if record_id in kept]
        draft = folder / f"{LOG}.tmp"
        files.remove(draft)
        files.write(draft, "".join(lines).encode())
        files.rename(draft, log)
