"""One write: intent, atomic replacement, publication, in this order and each once."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from .intents import Intent
from .reading import STATE
from .state import encode

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

    from memrules_reference.lite.points import Points

    from .drafts import Draft
    from .files import Files
    from .scopes import Scope
    from .state import State


class WriteFailedError(Exception):
    """A write that did not happen: disk and memory are as they were (LM-4.59)."""


def commit(
    files: Files, points: Points, draft: Draft, states: Mapping[Scope, State]
) -> dict[Scope, bytes]:
    """Make a draft durable, ``states`` being those that it changes; return what was written.

    Raises WriteFailedError with everything as before.  What cannot be cleared away after that is
    left to the intent, which the next writer or the next opening ends.
    """
    write = _Write(files, points)
    contents = {scope: encode(state) for scope, state in states.items()}
    try:
        points.reach("transact.locked")
        write.prepare_files(draft.writes)
        write.prepare_states(contents)
        write.declare(draft, states)
        write.replace()
        if draft.removes:
            points.reach("purge.removing")
    except OSError as error:
        write.roll_back()
        raise WriteFailedError from error
    with suppress(OSError):
        write.publish(purging=bool(draft.removes))
    write.passed("transact.published")
    write.passed("transact.done")
    return contents


class _Write:
    """The steps of one write, and the way back."""

    def __init__(self, files: Files, points: Points) -> None:
        self._files = files
        self._points = points
        self._nonce = secrets.token_hex(6)
        self._drafts: list[tuple[pathlib.Path, pathlib.Path, str]] = []
        self._replaced: list[tuple[pathlib.Path, pathlib.Path, pathlib.Path | None]] = []
        self._intent: Intent | None = None

    def prepare_files(self, contents: Mapping[pathlib.Path, bytes]) -> None:
        """Write each file beside the states under a draft's name, durably."""
        for path, content in contents.items():
            self._files.make_folder(path.parent)
            self._draft(path, content, "cold")

    def prepare_states(self, contents: Mapping[Scope, bytes]) -> None:
        """Write each state under a draft's name, durably."""
        for scope, content in contents.items():
            self._draft(self._files.root / scope.folder / STATE, content, "transact")
        if len(self._drafts) > 1:  # either all of their names last, or the intent is not followed
            for folder in sorted({draft.parent for draft, _, _ in self._drafts}):
                self._files.sync_folder(folder)

    def declare(self, draft: Draft, states: Mapping[Scope, State]) -> None:
        """Say what is to be put in place and what is to be removed."""
        root = self._files.root
        intent = Intent(
            nonce=self._nonce,
            folders=tuple(sorted(scope.folder for scope in states)),
            renames=tuple(
                (d.relative_to(root).as_posix(), p.relative_to(root).as_posix(), sha256)
                for d, p, sha256 in self._drafts
            ),
            removes=tuple(sorted(p.relative_to(root).as_posix() for p in draft.removes)),
        )
        self._intent = intent
        self._files.write(intent.file(root), intent.encode())
        self._files.sync(intent.file(root))
        self._files.sync_folder(root)
        self._points.reach("transact.intent")  # LM-4.58

    def replace(self) -> None:
        """Put every draft in the place of what it replaces."""
        for draft, path, _ in self._drafts:
            if self._replaced:
                self._points.reach("transact.replacing")
            before = path.with_name(f"{path.name}.{self._nonce}.old") if path.exists() else None
            if before is not None:
                self._files.link(path, before)
            self._files.rename(draft, path)
            self._replaced.append((draft, path, before))
        for folder in sorted({path.parent for _, path, _ in self._replaced}):
            self._files.sync_folder(folder)
        self._points.reach("transact.replaced")

    def publish(self, *, purging: bool) -> None:
        """Remove what is to go, what was kept for the way back, and the intent."""
        assert self._intent is not None
        root = self._files.root
        kept = [before for _, _, before in self._replaced if before is not None]
        gone = [*kept, *(root / name for name in self._intent.removes)]
        for path in gone:
            self._files.remove(path)
        if purging:  # the removal lasts before anything can say that it is done (LM-8.13)
            for folder in sorted({path.parent for path in gone}):
                self._files.sync_folder(folder)
            self.passed("purge.removed")
        self._files.remove(self._intent.file(root))
        self._files.sync_folder(root)

    def roll_back(self) -> None:
        """Put everything back.

        Until the intent is removed every draft is there to be followed, so that a crash on the way
        back goes wholly forward; after it, wholly back.
        """
        with suppress(OSError):
            for draft, path, before in reversed(self._replaced):
                self._files.link(path, draft)
                if before is None:
                    self._files.remove(path)
                else:
                    self._files.rename(before, path)
            for folder in sorted({path.parent for _, path, _ in self._replaced}):
                self._files.sync_folder(folder)
            if self._intent is not None:
                self._files.remove(self._intent.file(self._files.root))
                self._files.sync_folder(self._files.root)
            for draft, _, _ in self._drafts:
                self._files.remove(draft)

    def passed(self, point: str) -> None:
        """Reach a point at which nothing can fail any more."""
        with suppress(OSError):
            self._points.reach(point)

    def _draft(self, path: pathlib.Path, content: bytes, kind: str) -> None:
        draft = path.with_name(f"{path.name}.{self._nonce}.tmp")
        self._drafts.append((draft, path, hashlib.sha256(content).hexdigest()))
        self._files.write(draft, content)
        if kind == "cold":
            self._points.reach("cold.written")
        self._files.sync(draft)
        self._points.reach("cold.synced" if kind == "cold" else "transact.written")
