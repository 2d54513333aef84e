"""Reading a scope without a lock: what is on disk now, also where another process wrote it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .scopes import GLOBAL, PROJECT_FOLDER, Scope, unsafe_name
from .state import DamagedError, State, decode

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

STATE = "state.json"
_HEAD = 96


@dataclass(frozen=True, slots=True)
class _Mark:
    """What tells one content of a file from another.

    An inode may be used again within one tick of the file system's clock, hence the first bytes,
    which hold the digest of the content.
    """

    inode: int
    modified: int
    size: int
    head: bytes


class Reader:
    """The states of all scopes below ``root``; each is decoded once for each of its contents."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self._known: dict[Scope, tuple[_Mark, State]] = {}

    def publish(self, scope: Scope, state: State, raw: bytes) -> None:
        """Take over what was just written, so that it is not decoded again."""
        with (self.folder(scope) / STATE).open("rb", buffering=0) as file:
            mark = _mark_of(file.fileno())
        if raw.startswith(mark.head) and mark.size == len(raw):
            self._known[scope] = (mark, state)

    def folder(self, scope: Scope) -> pathlib.Path:
        """Return the folder of a scope, which need not exist."""
        return self.root / scope.folder

    def read(self, scope: Scope) -> State:
        """Return what a scope holds now; one that was never written is empty.

        A file that cannot be read gives an empty state whose ``problem`` says why.
        """
        try:
            with (self.folder(scope) / STATE).open("rb", buffering=0) as file:
                mark = _mark_of(file.fileno())
                known = self._known.get(scope)
                if known is not None and known[0] == mark:
                    return known[1]
                state = _decoded(file.read(), scope)
        except FileNotFoundError:
            return State(scope)
        except OSError as error:
            return State(scope, problem=f"it cannot be read: {error.strerror}")
        self._known[scope] = (mark, state)
        return state

    def scopes(self) -> Iterator[Scope]:
        """Yield every scope that was ever written, the global one first."""
        if (self.folder(GLOBAL) / STATE).exists():
            yield GLOBAL
        for folder in sorted(self.root.glob(f"{PROJECT_FOLDER}*")):
            if (scope := _scope_in(folder)) is not None:
                yield scope


def _scope_in(folder: pathlib.Path) -> Scope | None:
    """Return the scope whose folder this is, or None where it is none's or was never written."""
    if not (folder / STATE).exists():
        return None
    project = unsafe_name(folder.name.removeprefix(PROJECT_FOLDER))
    if project is None:  # too long for a name of its own
        try:
            project = str(json.loads((folder / STATE).read_bytes())["project"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
    scope = Scope(project)
    return scope if scope.folder == folder.name else None


def _mark_of(descriptor: int) -> _Mark:
    found = os.fstat(descriptor)
    head = os.read(descriptor, _HEAD)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return _Mark(found.st_ino, found.st_mtime_ns, found.st_size, head)


def _decoded(raw: bytes, scope: Scope) -> State:
    try:
        return decode(raw, scope)
    except DamagedError as error:
        return State(scope, problem=error.problem)
