"""What must hold between the files of a family: names that exist, closed outcomes, bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .machines import machine_faults
from .readings import reading_faults, reading_of
from .table_consistency import named_cuts, table_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .faults import Fault, Path
    from .readings import Reading
    from .sources import Family
    from .strict_yaml import Document

    Found = Iterator[tuple[Path, str]]


def consistency_faults(families: Mapping[str, Family]) -> Iterator[Fault]:
    """Yield every fault between files whose form is valid."""
    clauses: dict[str, str] = {}
    for family in families.values():
        yield from _clause_faults(family, clauses)
    for family in families.values():
        yield from _family_faults(family, clauses)


def _clause_faults(family: Family, clauses: dict[str, str]) -> Iterator[Fault]:
    """Yield clauses that stand twice or have no reason where one is due; fill id to binding."""
    readings = {entry["key"] for entry in family.entries("readings")}
    for document in family.clauses:
        for place, entry in enumerate(document.value["clauses"]):
            path: Path = ("clauses", place)
            if entry["id"] in clauses:
                yield document.fault((*path, "id"), f"{entry['id']} stands already")
            clauses[entry["id"]] = entry["binding"]
            if entry["checked"] != "target" and not entry.get("reason"):
                yield document.fault(path, f"{entry['id']} is not asked of a target: say why")
            for key in entry.get("readings", ()):
                if key not in readings:
                    yield document.fault((*path, "readings"), f"{key!r} is not a reading")


def _family_faults(family: Family, clauses: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the faults of one family's tables, machines, readings and limits."""
    known: dict[str, Reading] = {}
    for place, entry in enumerate(family.entries("readings")):
        reading = reading_of(entry)
        document = family.single["readings"]
        if reading.key in known:
            yield document.fault(("readings", place, "key"), f"{reading.key} stands already")
        known[reading.key] = reading
        if refused := reading.refuse(reading.default):
            yield document.fault(("readings", place, "default"), refused)
    limits = {entry["name"] for entry in family.entries("limits")}
    for document in (family.single["readings"], family.single["limits"]):
        yield from _placed(document, _citations(document.value, clauses))
    tables: dict[str, str] = {}
    for document in family.tables:
        source = document.value
        if source["id"] in tables:
            yield document.fault(
                ("id",), f"{source['id']} stands already in {tables[source['id']]}"
            )
        tables[source["id"]] = document.file
        yield from _placed(document, _citations(source, clauses))
        yield from _placed(document, table_faults(source, known, clauses, limits))
    for document in family.machines:
        source = document.value
        yield from _placed(document, machine_faults(source, frozenset(tables)))
        yield from _placed(document, reading_faults(source["cells"], known))
        yield from _placed(document, _citations(source, clauses))
    cut = {cut["$limit"] for d in family.tables for cut in named_cuts(d.value) if "$limit" in cut}
    for place, entry in enumerate(family.entries("limits")):
        if entry["name"] not in cut:
            message = f"{entry['name']} is the cut of no table"
            yield family.single["limits"].fault(("limits", place), message)


def _placed(document: Document, found: Found) -> Iterator[Fault]:
    """Yield faults with the file and the line."""
    for path, message in found:
        yield document.fault(path, message)


def _citations(value: Any, clauses: Mapping[str, str], path: Path = ()) -> Found:
    """Yield every cited clause that does not exist."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "clauses" and all(isinstance(item, str) for item in inner):
                for place, clause in enumerate(inner):
                    if clause not in clauses:
                        yield (*path, key, place), f"there is no clause {clause}"
            else:
                yield from _citations(inner, clauses, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _citations(inner, clauses, (*path, place))
