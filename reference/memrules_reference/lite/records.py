"""A record: what is remembered, with every field that the rules name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Layer = Literal["project", "global"]
Change = Literal["create", "update", "archive", "move", "restore"]
Json = Mapping[str, Any]

ARCHIVED = "archived"
ACTIVE = "active"
EVOLUTION = "project_evolution"
UNREVIEWED = "legacy_unreviewed"
REVIEWED = "reviewed"

_ID = re.compile(r"mem_[0-9A-Za-z]{8,64}\Z")


class NotARecordError(ValueError):
    """Stored data that is no record: ``problem`` says which field and why."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed relation to the record with the id ``to``."""

    to: str
    type: str


@dataclass(frozen=True, slots=True)
class Cold:
    """What a body in cold storage must be: its SHA-256 (hex) and the revision it was stored at."""

    sha256: str
    revision: int


@dataclass(frozen=True, slots=True)
class Step:
    """One change that can be taken back: what it was, and the record's fields before it.

    ``before`` has no id and no undo steps of its own; after an archiving it has no body either,
    which then lies in cold storage alone.  ``layer`` is where the record was.
    """

    change: Change
    before: Json
    layer: Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record as it is stored; a field that is None is absent.

    Times are whole milliseconds (UTC).  ``extra`` holds what the stored record says besides:
    unknown keys, and known ones whose value is null.  ``undo`` is newest last.
    """

    id: str
    layer: Layer
    owner_project_id: str | None = None
    title: str | None = None
    summary: str | None = None
    when: str | None = None
    body: str | None = None
    status: str | None = None
    origin: str | None = None
    review_state: str | None = None
    topic_key: str | None = None
    kind: str | None = None
    conditions: tuple[Any, ...] | None = None
    applicability: str | None = None
    memory_class: str | None = None
    evidence_ref: str | None = None
    revision: int | None = None
    relations: tuple[Relation, ...] | None = None
    learning: Json | None = None
    body_at: Literal["hot", "cold"] | None = None
    created_at: int | None = None
    updated_at: int | None = None
    last_read_at: int | None = None
    cold: Cold | None = None
    undo: tuple[Step, ...] = ()
    extra: Json = field(default_factory=dict)

    @property
    def archived(self) -> bool:
        """Whether the record is archived."""
        return self.status == ARCHIVED  # LM-1.4

    @property
    def experimental(self) -> bool:
        """Whether the record comes from self-evolution."""
        return self.origin == EVOLUTION  # LM-1.10

    @property
    def unreviewed(self) -> bool:
        """Whether the record was migrated and never reviewed."""
        return self.review_state == UNREVIEWED

    @property
    def current_revision(self) -> int:
        """The revision; a record of an older form that has none is at its first."""
        return self.revision or 1


_TEXT = (str,)
_NUMBER = (int,)
_LIST = (list, tuple)

#: Wire key to attribute and the types that its value may have.
_KEYS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "ownerProjectId": ("owner_project_id", _TEXT),
    "title": ("title", _TEXT),
    "summary": ("summary", _TEXT),
    "when": ("when", _TEXT),
    "body": ("body", _TEXT),
    "status": ("status", _TEXT),
    "origin": ("origin", _TEXT),
    "reviewState": ("review_state", _TEXT),
    "topicKey": ("topic_key", _TEXT),
    "kind": ("kind", _TEXT),
    "conditions": ("conditions", _LIST),
    "applicability": ("applicability", _TEXT),
    "memoryClass": ("memory_class", _TEXT),
    "evidenceRef": ("evidence_ref", _TEXT),
    "revision": ("revision", _NUMBER),
    "relations": ("relations", _LIST),
    "learning": ("learning", (Mapping,)),
    "bodyAt": ("body_at", _TEXT),
    "createdAt": ("created_at", _NUMBER),
    "updatedAt": ("updated_at", _NUMBER),
    "lastReadAt": ("last_read_at", _NUMBER),
}
_INNER = frozenset({"id", "layer", "cold", "undo"})
_TIMES = frozenset({"createdAt", "updatedAt", "lastReadAt"})

ATTRIBUTES: Mapping[str, str] = {key: attribute for key, (attribute, _) in _KEYS.items()}
"""The attribute of each wire key of a record, id and layer left out."""


def valid_id(text: object) -> bool:
    """Return whether a text has the form of an id (LM-3.32)."""
    return isinstance(text, str) and _ID.match(text) is not None


def record_of(data: Json, layer: Layer, record_id: str | None = None) -> Record:
    """Return the record that JSON says, in a layer; ``record_id`` stands for a missing id.

    Raises NotARecordError where a field has a type that it cannot have: such data is never used,
    so that no limit is lost with the field that held it.
    """
    given: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in data.items():
        if key in _INNER:
            continue
        if key not in _KEYS or value is None:
            extra[key] = value
            continue
        attribute, types = _KEYS[key]
        if not isinstance(value, types) or isinstance(value, bool):
            raise NotARecordError(f"{key} is a {type(value).__name__}")
        given[attribute] = tuple(value) if isinstance(value, list) else value
    if "relations" in given:
        given["relations"] = tuple(map(_relation_of, given["relations"]))
    if given.get("body_at") not in (None, "hot", "cold"):
        raise NotARecordError(f"bodyAt is {given['body_at']!r}")
    if "undo" in data:
        given["undo"] = tuple(map(_step_of, data["undo"]))
    if "cold" in data:
        given["cold"] = _cold_of(data["cold"])
    own = data.get("id", record_id)
    if not isinstance(own, str) or own == "":
        raise NotARecordError(f"id is {own!r}")
    return Record(id=own, layer=layer, extra=extra, **given)


def wire_of(record: Record, *, times: bool = True) -> dict[str, Any]:
    """Return a record in its canonical form, with id and layer, without what only the store needs.

    ``times=False`` leaves out the times, as ``inspect records`` does.
    """
    said = {"id": record.id, "layer": record.layer, **fields_of(record)}
    said.pop("updatedAt", None)
    if not times:
        said = {key: value for key, value in said.items() if key not in _TIMES}
    return said


def stored_of(record: Record) -> dict[str, Any]:
    """Return the JSON object that the store keeps for a record: all of it but id and layer."""
    said = fields_of(record)
    if record.cold is not None:
        said["cold"] = {"sha256": record.cold.sha256, "revision": record.cold.revision}
    if record.undo:
        said["undo"] = [
            {"change": step.change, "layer": step.layer, "before": dict(step.before)}
            for step in record.undo
        ]
    return said


def fields_of(record: Record) -> dict[str, Any]:
    """Return the fields of a record by their wire keys, without id and layer."""
    return {**record.extra, **dict(_given(record))}


def _given(record: Record) -> Iterator[tuple[str, Any]]:
    """Yield the wire key and JSON value of each field that is not absent."""
    for key, attribute in ATTRIBUTES.items():
        value = getattr(record, attribute)
        if value is None:
            continue
        if key == "relations":
            value = [{"to": relation.to, "type": relation.type} for relation in value]
        yield key, list(value) if isinstance(value, tuple) else value


def _relation_of(data: Any) -> Relation:
    try:
        return Relation(str(data["to"]), str(data["type"]))
    except (KeyError, TypeError) as error:
        raise NotARecordError("relations holds what is no relation") from error


def _step_of(data: Any) -> Step:
    try:
        return Step(data["change"], data["before"], data["layer"])
    except (KeyError, TypeError) as error:
        raise NotARecordError("undo holds what is no step") from error


def _cold_of(data: Any) -> Cold:
    try:
        return Cold(str(data["sha256"]), int(data["revision"]))
    except (KeyError, TypeError, ValueError) as error:
        raise NotARecordError("cold says no digest and revision") from error
