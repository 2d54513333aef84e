"""The rule documents held against the digests that the clauses keep of their lines."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from memrules_spec import Fault
from memrules_spec.clauses import lines_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memrules_spec import Rules


def document_faults(rules: Rules, folder: Path) -> list[Fault]:
    """Return each clause whose lines have changed in the documents of a folder (NAME.md)."""
    return [
        fault
        for family in rules.chosen
        for source in rules.sources(family).clauses
        for fault in _faults(source.file, source.value, folder)
    ]


def _faults(file: str, value: dict[str, Any], folder: Path) -> Iterator[Fault]:
    """Yield what a file of clauses says of its document that no longer holds."""
    document = value["document"]
    path = folder / f"{document['name']}.md"
    try:
        content = path.read_bytes()
    except OSError as error:
        yield Fault(str(path), f"cannot be read: {error.strerror or error}; see --documents")
        return
    if hashlib.sha256(content).hexdigest() == document["sha256"]:
        lines = content.decode("utf-8").split("\n")
    else:
        yield Fault(file, f"{path.name} has changed as a whole", ("document", "sha256"))
        lines = content.decode("utf-8", "replace").split("\n")
    for place, clause in enumerate(value["clauses"]):
        source = clause["source"]
        if max(source["lines"]) > len(lines):
            said = f"{path.name} has no line {max(source['lines'])}"
        elif lines_digest(lines, source["lines"]) != source["digest"]:
            said = f"lines {', '.join(map(str, source['lines']))} of {path.name} have changed"
        else:
            continue
        yield Fault(file, f"{clause['id']}: {said}; read them again", ("clauses", place, "source"))
