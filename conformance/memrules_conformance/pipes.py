"""The two output pipes of a process, each read by a thread so that neither can block it."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import IO

from .safe_text import clean
from .strict_json import LONGEST_LINE

MOST_STDERR = 8 * 1024
SHOWN_STDERR = 600

LONGEST_JOIN = 0.5
"""Seconds that the reader of a pipe gets to end after its process."""


class Lines:
    """The lines of a pipe, read as they come; the end is empty bytes, for ever."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        self._pipe = pipe
        self._queue: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def next(self, seconds: float) -> bytes:
        """Return the next line; raise queue.Empty if none comes in time."""
        return self._queue.get(timeout=seconds)

    def waiting(self) -> bytes | None:
        """Return a line that is there already."""
        with contextlib.suppress(queue.Empty):
            return self._queue.get_nowait()
        return None

    def half(self) -> bytes:
        """Return what came after the last whole line."""
        return bytes(self._kept)

    def join(self) -> None:
        """Wait for the end of the pipe, which has come where nobody holds it any more."""
        self._thread.join(LONGEST_JOIN)

    def _read(self) -> None:
        kept = self._kept
        with self._pipe:
            while piece := self._pipe.read(1 << 16):
                searched = len(kept)
                kept += piece
                while (end := kept.find(b"\n", searched)) >= 0:
                    self._queue.put(bytes(kept[: end + 1]))
                    del kept[: end + 1]
                    searched = 0
                if len(kept) > LONGEST_LINE:
                    self._queue.put(bytes(kept))
                    return
        if kept:
            self._queue.put(bytes(kept))
        self._queue.put(b"")


class Tail:
    """The end of a stream of free text."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        self._pipe = pipe
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def add(self, piece: bytes) -> None:
        """Add to the end."""
        self._kept += piece
        del self._kept[:-MOST_STDERR]

    def text(self) -> str:
        """Return the end as it can be printed, on one line."""
        text = bytes(self._kept).decode("utf-8", "backslashreplace").strip()
        return clean(text[-SHOWN_STDERR:]).replace("\n", " | ")

    def join(self) -> None:
        """Wait for the end of the pipe, which has come where nobody holds it any more."""
        self._thread.join(LONGEST_JOIN)

    def _read(self) -> None:
        with self._pipe:
            while piece := self._pipe.read(1 << 16):
                self.add(piece)
