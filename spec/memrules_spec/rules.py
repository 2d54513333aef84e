"""The rules as one immutable value: load a folder, choose readings, decide."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .clauses import Clause, clause_of
from .consistency import consistency_faults
from .faults import Fault, SpecError
from .folders import data_folder
from .machines import Machine, machine_of
from .readings import Reading, reading_of
from .sources import Family, read_folder
from .tables import Decision, Table, table_of

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

    from .tables import Value


@dataclass(frozen=True, slots=True)
class Message:
    """A text for people: what happened, and what to do next."""

    what: str
    next: str


@dataclass(frozen=True)
class Rules:
    """All families under chosen readings."""

    folder: pathlib.Path
    digest: str
    chosen: Mapping[str, Mapping[str, str | int]]
    readings: Mapping[str, Mapping[str, Reading]]
    clauses: Mapping[str, Clause]
    tables: Mapping[str, Table]
    machines: Mapping[str, Machine]
    limits: Mapping[str, Mapping[str, int]]
    _sources: Mapping[str, Family] = field(repr=False, compare=False)
    _variants: dict[tuple[tuple[str, str | int], ...], Rules] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def load(
        cls, folder: pathlib.Path | None = None, readings: Mapping[str, str | int] | None = None
    ) -> Rules:
        """Return the rules in a folder, by default the project's own.

        ``readings`` maps keys to options or numbers; a key of a family other than the only one
        that has it is written ``family/key``.  Raises SpecError with every fault of every file.
        """
        folder = folder or data_folder()
        families, faults = read_folder(folder)
        if not faults:
            faults = list(consistency_faults(families))
        if faults:
            raise SpecError(faults)
        return _rules(folder, families, readings or {})

    def with_readings(self, readings: Mapping[str, str | int]) -> Rules:
        """Return these rules with other readings on top of the chosen ones; may raise SpecError.

        Readings that are chosen already give the very same rules, and a table or a machine on
        which none of the others bears is the very same one.
        """
        if not readings:
            return self
        asked = tuple(sorted(readings.items()))
        if asked not in self._variants:
            self._variants[asked] = self._under(readings)
        return self._variants[asked]

    def _under(self, readings: Mapping[str, str | int]) -> Rules:
        """Return these rules with other readings on top of the chosen ones."""
        now = {
            f"{family}/{key}": value
            for family, chosen in self.chosen.items()
            for key, value in chosen.items()
        }
        chosen = _choose(self.readings, {**now, **readings})
        if chosen == self.chosen:
            return self
        tables = {
            id_: table if self._same(table, chosen) else _table(self._sources, id_, chosen)
            for id_, table in self.tables.items()
        }
        machines = {
            id_: machine if self._same(machine, chosen) else _machine(self._sources, id_, chosen)
            for id_, machine in self.machines.items()
        }
        return replace(
            self,
            chosen=MappingProxyType(chosen),
            tables=MappingProxyType(tables),
            machines=MappingProxyType(machines),
        )

    def _same(self, part: Table | Machine, chosen: Mapping[str, Mapping[str, str | int]]) -> bool:
        """Tell whether a table or a machine stays as it is under other readings."""
        family = part.id.partition("/")[0]
        now = self.chosen[family]
        return all(chosen[family][key] == now[key] for key in part.readings)

    def with_limit(self, family: str, name: str, value: int) -> Rules:
        """Return these rules with another number for a limit, in the tables that it cuts too."""
        limits = {**self.limits[family], name: value}
        tables = {
            id_: table_of(
                next(d for d in self._sources[family].tables if d.file == table.file).value,
                self.chosen[family],
                limits,
                table.file,
            )
            for id_, table in self.tables.items()
            if any(name in cuts.names for cuts in table.cuts.values())
        }
        return replace(
            self,
            limits=MappingProxyType({**self.limits, family: limits}),
            tables=MappingProxyType({**self.tables, **tables}),
        )

    def decide(self, table: str, inputs: Mapping[str, Value]) -> Decision:
        """Return what a table (``lite/eligibility``) says of its inputs; may raise InputsError."""
        return self.tables[table].decide(inputs)

    def accepted(self, table: str, inputs: Mapping[str, Value]) -> tuple[Mapping[str, Value], ...]:
        """Return every outcome of a table that conforms for the inputs."""
        return self.tables[table].accepted(inputs)

    def reading(self, family: str, key: str) -> str | int:
        """Return what is chosen for a reading."""
        return self.chosen[family][key]

    def limit(self, family: str, name: str) -> int:
        """Return a limit, in the unit that ``limits.yaml`` names."""
        return self.limits[family][name]

    def phrase(self, family: str, name: str) -> str:
        """Return words that the contract fixes."""
        return str(self._sources[family].single["messages"].value["phrases"][name])

    def message(self, family: str, code: str, lang: str = "zh") -> Message:
        """Return the text for a code, in Chinese (zh) or English (en)."""
        texts = self._sources[family].single["messages"].value["messages"][code][lang]
        return Message(texts["what"], texts["next"])

    def texts(self, family: str) -> Mapping[str, Any]:
        """Return all texts of a family: ``messages.yaml`` as it stands."""
        value: Mapping[str, Any] = self._sources[family].single["messages"].value
        return value

    def sources(self, family: str) -> Family:
        """Return the files that a family was made from."""
        return self._sources[family]


def _rules(
    folder: pathlib.Path, families: Mapping[str, Family], readings: Mapping[str, str | int]
) -> Rules:
    """Return the rules of families whose files have no fault."""
    known = {
        name: {e["key"]: reading_of(e) for e in family.entries("readings")}
        for name, family in families.items()
    }
    chosen = _choose(known, readings)
    clauses = [
        clause_of(entry, name, document.value["section"])
        for name, family in families.items()
        for document in family.clauses
        for entry in document.value["clauses"]
    ]
    return Rules(
        folder=folder,
        digest=_digest(families),
        chosen=MappingProxyType(chosen),
        readings=MappingProxyType(known),
        clauses=MappingProxyType({clause.id: clause for clause in clauses}),
        tables=MappingProxyType(
            {
                f"{name}/{d.value['id']}": table_of(d.value, chosen[name], _limits(f), d.file)
                for name, f in families.items()
                for d in f.tables
            }
        ),
        machines=MappingProxyType(
            {
                f"{name}/{d.value['id']}": machine_of(d.value, chosen[name], d.file)
                for name, f in families.items()
                for d in f.machines
            }
        ),
        limits=MappingProxyType({name: _limits(family) for name, family in families.items()}),
        _sources=MappingProxyType(dict(families)),
    )


def _limits(family: Family) -> dict[str, int]:
    return {entry["name"]: entry["value"] for entry in family.entries("limits")}


def _table(
    families: Mapping[str, Family], id_: str, chosen: Mapping[str, Mapping[str, str | int]]
) -> Table:
    """Return a table under chosen readings."""
    name, _, own = id_.partition("/")
    family = families[name]
    document = next(d for d in family.tables if d.value["id"] == own)
    return table_of(document.value, chosen[name], _limits(family), document.file)


def _machine(
    families: Mapping[str, Family], id_: str, chosen: Mapping[str, Mapping[str, str | int]]
) -> Machine:
    """Return a machine under chosen readings."""
    name, _, own = id_.partition("/")
    document = next(d for d in families[name].machines if d.value["id"] == own)
    return machine_of(document.value, chosen[name], document.file)


def _choose(
    known: Mapping[str, Mapping[str, Reading]], readings: Mapping[str, str | int]
) -> dict[str, dict[str, str | int]]:
    """Return the defaults with the given readings on top; may raise SpecError."""
    chosen = {
        name: {key: reading.default for key, reading in family.items()}
        for name, family in known.items()
    }
    faults: list[Fault] = []
    for given, value in readings.items():
        family, _, key = given.rpartition("/")
        owners = [n for n, keys in known.items() if key in keys and family in ("", n)]
        if len(owners) != 1:
            faults.append(Fault("readings", f"{given!r} is not the key of a reading"))
        elif refused := known[owners[0]][key].refuse(value):
            faults.append(Fault("readings", f"{key}: {refused}"))
        else:
            chosen[owners[0]][key] = value
    if faults:
        raise SpecError(faults)
    return chosen


def _digest(families: Mapping[str, Family]) -> str:
    """Return the digest of what all files say, whatever their layout."""
    said = {document.file: document.value for f in families.values() for document in f.documents()}
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
