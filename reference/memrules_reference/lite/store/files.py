"""The one door to the file system: every write, sync, rename and removal goes through it."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathlib


_KEPT = 10_000  # events; far more than one operation has


@dataclass(frozen=True, slots=True)
class Event:
    """One thing done to a file: ``path`` and ``to`` are relative to the store's root."""

    op: str
    path: str
    to: str | None = None
    data: bytes | None = None


class Files:
    """The files below a root; ``events`` tells in order what was done to them.

    Every method raises OSError where the file system refuses.
    """

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self._prefix = f"{root}{os.sep}"
        self.events: deque[Event] = deque(maxlen=_KEPT)
        root.mkdir(parents=True, exist_ok=True)

    def make_folder(self, path: pathlib.Path) -> None:
        """Make a folder, durably, unless it is there."""
        if not path.is_dir():
            path.mkdir(parents=True, exist_ok=True)
            self._note("mkdir", path)
            self.sync_folder(path.parent)

    def write(self, path: pathlib.Path, data: bytes) -> None:
        """Write a new file; its content is durable only when it was synced."""
        with path.open("xb", buffering=0) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
        self._note("write", path, data=data)

    def sync(self, path: pathlib.Path) -> None:
        """Make the content of a file durable."""
        self._sync(path)
        self._note("fsync", path)

    def sync_folder(self, path: pathlib.Path) -> None:
        """Make the names in a folder durable, where the system knows such a thing."""
        if os.name == "posix":
            self._sync(path)
        self._note("fsync_dir", path)

    def rename(self, source: pathlib.Path, target: pathlib.Path) -> None:
        """Put a file under another name, at once, in place of what was there."""
        source.replace(target)
        self._note("rename", source, to=target)

    def link(self, source: pathlib.Path, target: pathlib.Path) -> None:
        """Give a file a second name; raises FileExistsError where that is taken."""
        target.hardlink_to(source)
        self._note("link", source, to=target)

    def remove(self, path: pathlib.Path) -> None:
        """Remove a file if it is there."""
        with suppress(FileNotFoundError):
            path.unlink()
            self._note("unlink", path)

    def append(self, path: pathlib.Path, line: bytes) -> None:
        """Add a line to a file in one write, without a sync."""
        with path.open("ab", buffering=0) as file:
            file.write(line)
        self._note("append", path, data=line)

    def _sync(self, path: pathlib.Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _note(
        self,
        op: str,
        path: pathlib.Path,
        to: pathlib.Path | None = None,
        data: bytes | None = None,
    ) -> None:
        target = None if to is None else self._name(to)
        self.events.append(Event(op, self._name(path), target, data))

    def _name(self, path: pathlib.Path) -> str:
        return str(path).removeprefix(self._prefix).replace(os.sep, "/")
