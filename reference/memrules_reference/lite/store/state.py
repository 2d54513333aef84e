"""The content of one scope, and its form as bytes: ``state.json``.

The first line says schema and SHA-256 of all that follows it, so that a damaged file is told from
a sound one, and two contents are told apart by 90 bytes.  Each record stands on a line of its own.
Schema 0 is the older form: a list of records, or an object of records by id, with nothing beside.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memrules_reference.lite.records import NotARecordError, Record, record_of, stored_of

from .scopes import GLOBAL, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memrules_reference.lite.records import Json, Layer

SCHEMA = 1
_KNOWN = frozenset(
    {
        "schema", "sha256", "project", "generation", "records",
        "slots", "tombstones", "registry", "receipts",
    }
)  # fmt: skip


class DamagedError(Exception):
    """Bytes that are no state of any schema; ``problem`` says what is wrong with them."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class State:
    """What one scope holds; a value, replaced whole by every write.

    ``generation`` grows by one with each write.  ``slots`` maps a topicKey to the id that a human
    picked, ``tombstones`` an id that was deleted for good to ``{at, revision}``.  ``unreadable``
    are stored objects that are no records: kept, never used.  ``extra`` are unknown keys: kept.
    ``problem`` says why the file could not be read.  ``texts`` holds the JSON text of records that
    were encoded already, by id, with the record that it is the text of.
    """

    scope: Scope = GLOBAL
    schema: int = SCHEMA
    generation: int = 0
    records: Mapping[str, Record] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    tombstones: Mapping[str, Json] = field(default_factory=dict)
    registry: Json = field(default_factory=dict)
    receipts: tuple[Json, ...] = ()
    unreadable: Mapping[str, Any] = field(default_factory=dict)
    extra: Json = field(default_factory=dict)
    problem: str | None = None
    texts: dict[str, tuple[Record, str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def writable(self) -> bool:
        """Whether this program may replace the state: it is sound and of no newer schema."""
        return self.problem is None and self.schema <= SCHEMA

    def with_records(self, *changed: Record) -> State:
        """Return the state with records in it by their ids."""
        records = {**self.records, **{record.id: record for record in changed}}
        return replace(self, records=records)

    def without(self, record_id: str) -> State:
        """Return the state without a record, its pick and its memoised text."""
        records = {key: record for key, record in self.records.items() if key != record_id}
        slots = {key: picked for key, picked in self.slots.items() if picked != record_id}
        texts = {key: text for key, text in self.texts.items() if key != record_id}
        return replace(self, records=records, slots=slots, texts=texts)


def encode(state: State) -> bytes:
    """Return the bytes of a state, in the current schema."""
    head = {
        "slots": dict(state.slots),
        "tombstones": dict(state.tombstones),
        "registry": dict(state.registry),
        "receipts": list(state.receipts),
        **state.extra,
    }
    if state.scope.project is not None:
        head["project"] = state.scope.project
    lines = [f'"generation":{state.generation},\n']
    lines += (f"{_dump(key)}:{_dump(value)},\n" for key, value in head.items())
    lines += ('"records":{\n', ",\n".join(_record_lines(state)), "\n}}\n")
    body = "".join(lines).encode("utf-8")
    digest = hashlib.sha256(body).hexdigest()
    return f'{{"schema":{SCHEMA},"sha256":"{digest}",\n'.encode() + body


def decode(raw: bytes, scope: Scope) -> State:
    """Return the state that bytes say; raises DamagedError."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise DamagedError("it is not JSON") from error
    if isinstance(data, list) or (isinstance(data, dict) and "schema" not in data):
        return _older(data, scope)  # LM-10.7
    if not isinstance(data, dict):
        raise DamagedError("it is neither an object nor a list")
    digest = data.get("sha256")
    if digest is not None and digest != hashlib.sha256(raw.partition(b"\n")[2]).hexdigest():
        raise DamagedError("its content does not have the digest that it says")
    try:
        return _current(data, scope)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedError(f"a part of it has another form: {error}") from error


def _current(data: Json, scope: Scope) -> State:
    """Return the state that an object of schema 1, or of a newer one, says."""
    records, unreadable = _records(data.get("records", {}).items(), scope.layer)
    return State(
        scope=scope,
        schema=int(data["schema"]),
        generation=int(data.get("generation", 0)),
        records=records,
        slots=dict(data.get("slots", {})),
        tombstones=dict(data.get("tombstones", {})),
        registry=dict(data.get("registry", {})),
        receipts=tuple(data.get("receipts", ())),
        unreadable=unreadable,
        extra={key: value for key, value in data.items() if key not in _KNOWN},
    )


def _older(data: Any, scope: Scope) -> State:
    """Return the state that a list of records or an object of records by id says: schema 0."""
    if isinstance(data, list):
        pairs = [
            (str(entry["id"] if isinstance(entry, dict) and "id" in entry else place), entry)
            for place, entry in enumerate(data)
        ]
    else:
        pairs = list(data.items())
    records, unreadable = _records(pairs, scope.layer)
    return State(scope=scope, schema=0, records=records, unreadable=unreadable)


def _records(
    pairs: Iterable[tuple[str, Any]], layer: Layer
) -> tuple[dict[str, Record], dict[str, Any]]:
    """Return the records among stored objects, and the objects that are none."""
    records: dict[str, Record] = {}
    unreadable: dict[str, Any] = {}
    for record_id, entry in pairs:
        try:
            record = record_of(entry, layer, record_id)
        except (NotARecordError, AttributeError):
            unreadable[record_id] = entry
        else:
            records[record.id] = record
    return records, unreadable


def _record_lines(state: State) -> Iterator[str]:
    """Yield the line of each record and of each object that is none."""
    texts = state.texts
    for record_id, record in state.records.items():
        known = texts.get(record_id)
        if known is None or known[0] is not record:
            known = record, f"{_dump(record_id)}:{_dump(stored_of(record))}"
            texts[record_id] = known
        yield known[1]
    for name, entry in state.unreadable.items():
        yield f"{_dump(name)}:{_dump(entry)}"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
