"""What must hold inside a decision table: closed domains and outcomes, real names, bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .clauses import BINDINGS
from .readings import READING, either, reading_faults, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .faults import Path
    from .readings import Reading

    Found = Iterator[tuple[Path, str]]


def table_faults(
    source: Mapping[str, Any],
    known: Mapping[str, Reading],
    clauses: Mapping[str, str],
    limits: set[str],
) -> Found:
    """Yield what is wrong with a table whose form is valid, but for clauses that do not exist."""
    domains = {
        name: _classes(domain) if isinstance(domain, dict) else domain
        for name, domain in source["inputs"].items()
    }
    for cut in named_cuts(source):
        if "$limit" in cut and cut["$limit"] not in limits:
            yield ("inputs",), f"{cut['$limit']!r} is not a limit of limits.yaml"
        if "$reading" in cut and getattr(known.get(cut["$reading"]), "kind", "") != "number":
            yield ("inputs",), f"{cut['$reading']!r} is not a number reading"
    for place, gone in enumerate(source.get("never", ())):
        yield from _condition_faults(gone, domains, {}, ("never", place))
    yield from _row_faults(source, known, clauses, domains)


def _row_faults(
    source: Mapping[str, Any],
    known: Mapping[str, Reading],
    clauses: Mapping[str, str],
    domains: Mapping[str, list[Any]],
) -> Found:
    """Yield what is wrong with the rows of a table."""
    before: list[str] = []
    for place, row in enumerate(source["rows"]):
        path: Path = ("rows", place)
        if row["id"] in before:
            yield (*path, "id"), f"{row['id']} stands already"
        yield from _condition_faults(row.get("when", {}), domains, known, (*path, "when"))
        for inner, message in reading_faults(row["then"], known):
            yield (*path, "then", *inner), message
        yield from _outcome_faults(row, source["outcome"], known, path)
        first = row["clauses"][0]
        if first in clauses and BINDINGS.index(row["binding"]) < BINDINGS.index(clauses[first]):
            yield path, f"is {row['binding']}, but {first}, which decides it, is {clauses[first]}"
        for other in row.get("any_order_with", ()):
            if other not in before:
                yield (*path, "any_order_with"), f"{other} is no earlier row"
        before.append(row["id"])


def _classes(domain: Mapping[str, Any]) -> list[str]:
    """Return the class names of a numeric input."""
    names = [
        str(cut.get("$limit", cut.get("$reading"))) if isinstance(cut, dict) else str(cut)
        for cut in domain["cuts"]
    ]
    return [*(f"<={name}" for name in names), f">{names[-1]}"]


def _condition_faults(
    when: Mapping[str, Any],
    domains: Mapping[str, list[Any]],
    known: Mapping[str, Reading],
    path: Path,
) -> Found:
    """Yield what is wrong with a row's conditions."""
    for name, values in when.items():
        if name.startswith(READING):
            reading = known.get(name.removeprefix(READING))
            domain: Iterable[Any] = reading.options if reading else ()
            if reading is None:
                yield (*path, name), f"{name.removeprefix(READING)!r} is not a reading"
                continue
        elif name in domains:
            domain = domains[name]
        else:
            yield (*path, name), f"is not an input; there are {either(list(domains))}"
            continue
        for value in values:
            if not _among(value, domain):
                yield (*path, name), f"{value!r} is not {either(list(map(str, domain)))}"


def _outcome_faults(
    row: Mapping[str, Any],
    vocabulary: Mapping[str, list[Any]],
    known: Mapping[str, Reading],
    path: Path,
) -> Found:
    """Yield the outcomes of a row that are not of the table's closed vocabularies."""
    if (row["binding"] == "open") != ("accept" in row):
        yield path, "an open row, and no other, says in accept which outcomes conform"
    outcomes = [(row["then"], (*path, "then"))]
    outcomes += [(outcome, (*path, "accept", n)) for n, outcome in enumerate(row.get("accept", ()))]
    for outcome, place in outcomes:
        for concrete in _concrete(outcome, known):
            whole = concrete if isinstance(concrete, dict) else {next(iter(vocabulary)): concrete}
            if set(whole) != set(vocabulary):
                yield (
                    place,
                    f"has {either(list(whole))}, but an outcome has {either(list(vocabulary))}",
                )
                continue
            for name, value in whole.items():
                for real in _concrete(value, known):
                    if not _among(real, vocabulary[name]):
                        allowed = either(list(map(str, vocabulary[name])))
                        yield (*place, name), f"{real!r} is not {allowed}"


def _concrete(value: Any, known: Mapping[str, Reading]) -> list[Any]:
    """Return what a value can be under the options of the reading that it hangs on."""
    if isinstance(value, dict) and "by_reading" in value:
        reading = known.get(value["by_reading"])
        options = (
            [option for option in reading.options if option in value.get("of", reading.options)]
            if reading
            else []
        )
        return [resolve(value, {value["by_reading"]: option}) for option in options]
    return [value]


def _among(value: Any, domain: Iterable[Any]) -> bool:
    """Tell whether a value is in a domain, where true is not 1."""
    return any(value == known and type(value) is type(known) for known in domain)


def named_cuts(source: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the cuts of a table that name a limit or a reading."""
    return [
        cut
        for domain in source["inputs"].values()
        if isinstance(domain, dict)
        for cut in domain["cuts"]
        if isinstance(cut, dict)
    ]
