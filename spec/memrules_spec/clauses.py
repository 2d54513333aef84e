"""Clauses: one testable obligation each, with the place in the document that it comes from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# From the hardest to the softest.
BINDINGS = ("strict", "reading", "open", "advisory")


@dataclass(frozen=True, slots=True)
class Clause:
    """One obligation; ``checked`` is target (a program can ask), kit (a test here) or review."""

    id: str
    family: str
    statement: str
    binding: str
    level: str
    entries: tuple[str, ...]
    section: str
    lines: tuple[int, ...]
    digest: str
    checked: str
    check: str
    reason: str | None = None
    readings: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    note: str | None = None


def clause_of(entry: Mapping[str, Any], family: str, section: str) -> Clause:
    """Return the clause that a valid entry of a clauses file describes."""
    return Clause(
        id=entry["id"],
        family=family,
        statement=entry["statement"],
        binding=entry["binding"],
        level=entry["level"],
        entries=tuple(entry["entries"]),
        section=section,
        lines=tuple(entry["source"]["lines"]),
        digest=entry["source"]["digest"],
        checked=entry["checked"],
        check=entry["check"],
        reason=entry.get("reason"),
        readings=tuple(entry.get("readings", ())),
        related=tuple(entry.get("related", ())),
        note=entry.get("note"),
    )


def lines_digest(document: Sequence[str], lines: Sequence[int]) -> str:
    """Return the digest of some lines (from 1) of a document: 16 hexadecimal digits."""
    text = "\n".join(document[line - 1] for line in lines)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
