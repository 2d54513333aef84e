"""A fault of a spec file: where it is, what is wrong, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the file as the reader knows it, the line (from 1), the path inside, the words."""

    file: str
    message: str
    path: Path = ()
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        where = dotted(self.path)
        return f"{place}: {where}: {self.message}" if where else f"{place}: {self.message}"


class SpecError(Exception):
    """Rules that cannot be used: every fault that was found, not only the first."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def dotted(path: Path) -> str:
    """Return a path inside a file as people write it: ``rows[3].when.requested``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else str(step)
    return text
