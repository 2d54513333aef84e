"""Scopes: the global layer and one for each project, each with a folder of its own."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memrules_reference.lite.records import Layer

PROJECT_FOLDER = "project-"
_PLAIN = re.compile(rb"[a-z0-9_-]")
_LONGEST = 120


def safe_name(text: str) -> str:
    """Return a file name that stands for a text: distinct also where case is not told apart."""
    encoded = "".join(
        chr(byte) if _PLAIN.match(bytes([byte])) else f"%{byte:02x}"
        for byte in text.encode("utf-8", "surrogatepass")
    )
    if len(encoded) <= _LONGEST:
        return encoded
    return f"%%{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def unsafe_name(name: str) -> str | None:
    """Return the text that a safe name stands for; None for a digest or what is no safe name."""
    if name.startswith("%%"):
        return None
    try:
        raw = re.sub(
            rb"%([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), name.encode("ascii")
        )
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeError:
        return None


@dataclass(frozen=True, slots=True)
class Scope:
    """The global scope (``project`` is None) or that of one project."""

    project: str | None = None

    @property
    def layer(self) -> Layer:
        """The layer whose records lie in this scope."""
        return "global" if self.project is None else "project"

    @property
    def folder(self) -> str:
        """The name of the scope's folder in the store."""
        return "global" if self.project is None else f"{PROJECT_FOLDER}{safe_name(self.project)}"


GLOBAL = Scope()
