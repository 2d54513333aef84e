"""Fresh folders for worlds, on a RAM file system where there is one, and removed afterwards."""

from __future__ import annotations

import base64
import binascii
import itertools
import shutil
import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from .protocol import KitError

if TYPE_CHECKING:
    from collections.abc import Mapping

RAM = Path("/dev/shm")  # noqa: S108 a file system, not a file


def default_root(*, durable: bool) -> Path:
    """Return the folder for the stores of a run: a real one where durability is the question."""
    if not durable and sys.platform == "linux" and _takes_files(RAM):
        return RAM
    return Path(tempfile.gettempdir())


class Stores:
    """The stores of one run: two folders, made when they are first needed."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._made: dict[bool, Path] = {}
        self._numbers = itertools.count(1)

    def fresh(self, *, durable: bool) -> Path:
        """Return a new, empty folder; ``durable`` ones lie on a real file system."""
        key = durable and self._root is None
        if key not in self._made:
            root = self._root or default_root(durable=durable)
            root.mkdir(parents=True, exist_ok=True)
            self._made[key] = Path(tempfile.mkdtemp(prefix="memrules-", dir=root))
        store = self._made[key] / f"store-{next(self._numbers)}"
        store.mkdir()
        return store

    def without_paths(self, value: Any) -> Any:
        """Return a JSON value whose texts name the folders of the run by a word, not by a path."""
        if isinstance(value, str):
            for folder in list(self._made.values()):
                value = value.replace(str(folder), "STORES")
            return value
        if isinstance(value, dict):
            return {key: self.without_paths(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.without_paths(inner) for inner in value]
        return value

    def remove(self) -> None:
        """Remove every store of the run."""
        for folder in self._made.values():
            shutil.rmtree(folder, ignore_errors=True)
        self._made.clear()


def write_files(store: Path, files: Mapping[str, str]) -> None:
    """Write the bytes of ``seed.files`` (base64 by relative path) below a store."""
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise KitError(f"seed.files: {name!r} does not lie below the store")
        try:
            data = base64.b64decode(content, validate=True)
        except binascii.Error as error:
            raise KitError(f"seed.files: {name} is not base64: {error}") from error
        file = store / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _takes_files(folder: Path) -> bool:
    """Tell whether files can be made in a folder."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
