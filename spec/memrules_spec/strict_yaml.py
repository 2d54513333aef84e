"""YAML read strictly: JSON values, no duplicate keys, a line for every place, all faults at once.

Anchors, aliases and tags are refused.  A plain ``yes``, ``on``, ``012`` or ``2024-01-01`` is the
text that it looks like; only ``true``, ``false``, ``null`` and JSON's numbers are anything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
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


class OddError(Exception):
    """A node that is not allowed, or not sound: the slower walk says which, where and why."""


@dataclass
class Document:
    """What a file says: its value, and what is wrong with it."""

    file: str
    value: Any = None
    text: str = field(default="", repr=False)
    faults: list[Fault] = field(default_factory=list)

    @cached_property
    def lines(self) -> dict[Path, int]:
        """The line (from 1) on which each path begins; worked out when first asked for."""
        walk = _Walk(self.file)
        if self.value is not None:
            walk.node(*_first(_events(self.text)), ())
        return walk.lines

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
    document = Document(file, text=text)
    try:
        events = _events(text)
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
    first, rest = _first(events)
    if first is None:
        document.faults.append(Fault(file, "is empty"))
        return document
    try:
        document.value = _value(first, rest)
    except OddError:
        walk = _Walk(file)
        document.value = walk.node(*_first(events), ())
        document.faults += walk.faults
    return document


def _events(text: str) -> list[Any]:
    return list(yaml.parse(text, Loader=_LOADER))


def _first(events: list[Any]) -> tuple[Any, Iterator[Any]]:
    """Return the event with which the root begins (None if there is none), and those after it."""
    nodes = (
        event for event in events if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent)
    )
    return next(nodes, None), nodes


def _value(event: Any, events: Iterator[Any]) -> Any:
    """Return the value that begins with an event; raise OddError at anything but a plain value."""
    kind = type(event)
    if kind is yaml.AliasEvent or event.anchor or event.tag:
        raise OddError
    if kind is yaml.ScalarEvent:
        return _scalar(event.value) if event.implicit[0] else event.value
    if kind is yaml.SequenceStartEvent:
        items: list[Any] = []
        while type(item := next(events)) is not yaml.SequenceEndEvent:
            items.append(_value(item, events))
        return items
    mapping: dict[str, Any] = {}
    while type(key := next(events)) is not yaml.MappingEndEvent:
        name = _value(key, events)
        if type(name) is not str or name in mapping:
            raise OddError
        mapping[name] = _value(next(events), events)
    return mapping


class _Walk:
    """One pass over the events of a document that keeps every line and every fault."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self.faults: list[Fault] = []

    def node(self, event: Any, events: Iterator[Any], path: Path) -> Any:
        """Return the value that begins with an event."""
        line = event.start_mark.line + 1
        self.lines.setdefault(path, line)
        if isinstance(event, yaml.AliasEvent):
            self._fault("an alias is not allowed; write the value out", path, line)
            return None
        if event.anchor or event.tag:
            what = "an anchor" if event.anchor else f"the tag {event.tag}"
            self._fault(f"{what} is not allowed; write the plain value", path, line)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(item := next(events), yaml.SequenceEndEvent):
                items.append(self.node(item, events, (*path, len(items))))
            return items
        mapping: dict[str, Any] = {}
        while not isinstance(key := next(events), yaml.MappingEndEvent):
            name = self._key(key, events, path)
            place = (*path, name)
            repeated = name in mapping
            value = self.node(next(events), events, place)
            if repeated:
                self._fault("this key stands twice", place, key.start_mark.line + 1)
            else:
                mapping[name] = value
        return mapping

    def _key(self, event: Any, events: Iterator[Any], path: Path) -> str:
        """Return a mapping's key, which must be text."""
        value = self.node(event, events, (*path, "<key>"))
        self.lines.pop((*path, "<key>"), None)
        if isinstance(value, str):
            return value
        message = f"the key {value!r} is not text; quote it"
        self._fault(message, path, event.start_mark.line + 1)
        return str(value)

    def _fault(self, message: str, path: Path, line: int) -> None:
        self.faults.append(Fault(self.file, message, path, line))


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
