"""YAML read strictly: JSON values, no duplicate keys, a line for every place, all faults at once.

Anchors, aliases and tags are refused.  A plain ``yes``, ``on``, ``012`` or ``2024-01-01`` is the
text that it looks like; only ``true``, ``false``, ``null`` and JSON's numbers are anything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from .faults import Fault, Path, SpecError

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

_INT = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_CONSTANTS = {"true": True, "false": False, "null": None, "": None}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Document:
    """What a file says: its value, and the line (from 1) on which each path begins."""

    file: str
    value: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, path: Path, message: str) -> Fault:
        """Return a fault at a path, with the line of the nearest place that has one."""
        near = path
        while near and near not in self.lines:
            near = near[:-1]
        return Fault(self.file, message, path, self.lines.get(near))


def load(path: pathlib.Path, name: str | None = None) -> Any:
    """Return the value of a file; raise SpecError with every fault that it has."""
    document = read(path, name)
    if document.faults:
        raise SpecError(document.faults)
    return document.value


def read(path: pathlib.Path, name: str | None = None) -> Document:
    """Return the document in a file, its faults inside it; never raise for what the file says."""
    file = name or str(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return Document(
            file, faults=[Fault(file, f"cannot be read: {error.strerror or error}; see the path")]
        )
    except UnicodeDecodeError as error:
        return Document(
            file,
            faults=[Fault(file, f"byte {error.start} is not UTF-8; save the file as UTF-8")],
        )
    return parse(text, file)


def parse(text: str, file: str = "<text>") -> Document:
    """Return the document that a text holds; faults inside it."""
    document = Document(file)
    try:
        events = list(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        document.faults.append(
            Fault(file, f"is not YAML: {error.problem or error.context}", (), line)
        )
        return document
    except (yaml.YAMLError, RecursionError) as error:
        document.faults.append(Fault(file, f"is not YAML: {error}"))
        return document
    roots = sum(isinstance(event, yaml.DocumentStartEvent) for event in events)
    if roots > 1:
        document.faults.append(Fault(file, f"holds {roots} documents; keep one a file"))
        return document
    nodes = (
        event for event in events if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent)
    )
    first = next(nodes, None)
    if first is None:
        document.faults.append(Fault(file, "is empty"))
        return document
    document.value = _node(document, first, nodes, ())
    return document


def _node(document: Document, event: Any, events: Iterator[Any], path: Path) -> Any:
    """Return the value that begins with an event."""
    document.lines.setdefault(path, event.start_mark.line + 1)
    if isinstance(event, yaml.AliasEvent):
        document.faults.append(document.fault(path, "an alias is not allowed; write the value out"))
        return None
    if event.anchor or getattr(event, "tag", None):
        what = "an anchor" if event.anchor else f"the tag {event.tag}"
        document.faults.append(
            document.fault(path, f"{what} is not allowed; write the plain value")
        )
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Any] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_node(document, item, events, (*path, len(items))))
        return items
    mapping: dict[str, Any] = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        name = _key(document, key, events, path)
        place = (*path, name)
        repeated = name in mapping
        value = _node(document, next(events), events, place)
        if repeated:
            document.faults.append(
                Fault(document.file, "this key stands twice", place, key.start_mark.line + 1)
            )
        else:
            mapping[name] = value
    return mapping


def _key(document: Document, event: Any, events: Iterator[Any], path: Path) -> str:
    """Return a mapping's key, which must be text."""
    value = _node(document, event, events, (*path, "<key>"))
    document.lines.pop((*path, "<key>"), None)
    if isinstance(value, str):
        return value
    document.faults.append(
        Fault(
            document.file,
            f"the key {value!r} is not text; quote it",
            path,
            event.start_mark.line + 1,
        )
    )
    return str(value)


def _scalar(text: str) -> Any:
    """Return the JSON value of a plain scalar."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in "-0123456789":
        if _INT.match(text):
            return int(text)
        if _FLOAT.match(text):
            return float(text)
    return text
