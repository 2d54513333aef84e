"""Intents: what a write is about to do, so that another can end it after a crash.

All new content is durable before its intent is.  So an intent always goes forward, and what has
none has changed nothing (LM-4.82).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

    from .files import Files

_PREFIX = "intent-"


@dataclass(frozen=True, slots=True)
class Intent:
    """Files to put in place and files to remove, by their paths relative to the store's root.

    ``renames`` are (draft, name, SHA-256 of the content); ``folders`` are those of the scopes whose
    locks the write holds.
    """

    nonce: str
    folders: tuple[str, ...]
    renames: tuple[tuple[str, str, str], ...]
    removes: tuple[str, ...]

    def file(self, root: pathlib.Path) -> pathlib.Path:
        """Return where the intent itself lies."""
        return root / f"{_PREFIX}{self.nonce}.json"

    def encode(self) -> bytes:
        """Return the content of the intent's file."""
        said = {"folders": self.folders, "renames": self.renames, "removes": self.removes}
        return json.dumps({"schema": 1, **said}).encode()


def pending(root: pathlib.Path) -> Iterator[Intent]:
    """Yield every intent below a root; a file that says none is nobody's, and is left alone."""
    for path in sorted(root.glob(f"{_PREFIX}*.json")):
        try:
            said = json.loads(path.read_bytes())
            intent = Intent(
                nonce=path.name.removeprefix(_PREFIX).removesuffix(".json"),
                folders=tuple(str(name) for name in said["folders"]),
                renames=tuple((str(d), str(n), str(s)) for d, n, s in said["renames"]),
                removes=tuple(str(name) for name in said["removes"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if _is_ours(intent):
            yield intent


def finish(files: Files, intent: Intent) -> None:
    """Do what is left of an intent whose scopes are locked, and remove it.

    An intent whose drafts are neither there nor in place is not ours to follow: it is removed.
    """
    root = files.root
    if all((root / d).exists() or _is(root / n, sha256) for d, n, sha256 in intent.renames):
        for draft, name, _ in intent.renames:
            if (root / draft).exists():
                files.rename(root / draft, root / name)
        for name in intent.removes:
            files.remove(root / name)
        for folder in sorted({(root / name).parent for name in _names(intent)}):
            if folder.is_dir():
                files.sync_folder(folder)
    files.remove(intent.file(root))
    files.sync_folder(root)


def sweep(files: Files, folder: pathlib.Path) -> int:
    """Remove the drafts in the folder of a locked scope, whose writers died; return how many."""
    drafts = [
        path
        for pattern in ("*.tmp", "*/*.tmp", "*.old", "*/*.old")
        for path in folder.glob(pattern)
        if not path.name.startswith("lock.")
    ]
    for path in drafts:
        files.remove(path)
    return len(drafts)


def _names(intent: Intent) -> Iterator[str]:
    for draft, name, _ in intent.renames:
        yield draft
        yield name
    yield from intent.removes


def _is_ours(intent: Intent) -> bool:
    """Return whether an intent puts something in place, and touches nothing but its scopes.

    No write removes anything but cold and quarantined bodies.
    """
    aside = all(name.split("/")[1:2] in (["cold"], ["quarantine"]) for name in intent.removes)
    inside = all(_inside(intent, name) for name in _names(intent))
    return bool(intent.renames) and aside and inside


def _inside(intent: Intent, name: str) -> bool:
    """Return whether a path lies in the folder of one of the intent's scopes."""
    folder, _, rest = name.partition("/")
    plain = all(part not in ("", ".", "..") for part in (folder, *rest.split("/")))
    return plain and folder in intent.folders and "\\" not in name


def _is(path: pathlib.Path, sha256: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except OSError:
        return False
