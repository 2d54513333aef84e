"""Decision tables: finite inputs, ordered rows, the first that matches decides."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .readings import READING, readings_of, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Value = str | bool | int


class InputsError(ValueError):
    """A table was asked with inputs that it does not have, or lacks one, or met a gap."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """A numeric input: each cut closes a class, ``<=cut``; what is beyond the last is ``>cut``."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, from the lowest."""
        return (*(f"<={name}" for name in self.names), f">{self.names[-1]}")

    def classify(self, number: int) -> str:
        """Return the class that a number belongs to."""
        for place, cut in enumerate(self.numbers):
            if number <= cut:
                return self.classes[place]
        return self.classes[-1]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a table says of one combination: the outcome, the row that gave it, its clauses."""

    outcome: Mapping[str, Value]
    row: str
    clauses: tuple[str, ...]
    binding: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row under chosen readings: conditions by input, the outcome, and what else conforms."""

    id: str
    when: Mapping[str, frozenset[Value]]
    decision: Decision
    accept: tuple[Mapping[str, Value], ...]
    any_order_with: frozenset[str]

    def matches(self, inputs: Mapping[str, Value]) -> bool:
        """Tell whether every condition holds for the inputs."""
        for name, values in self.when.items():  # a loop: this is asked most of all  # noqa: SIM110
            if inputs[name] not in values:
                return False
        return True

    @property
    def outcomes(self) -> tuple[Mapping[str, Value], ...]:
        """Every outcome that conforms where this row decides."""
        return self.accept or (self.decision.outcome,)


@dataclass(frozen=True)
class Table:
    """A table under chosen readings; immutable but for a memory of what was decided."""

    id: str
    title: str
    inputs: Mapping[str, tuple[Value, ...]]
    cuts: Mapping[str, Cuts]
    outcome: Mapping[str, tuple[Value, ...]]
    never: tuple[Mapping[str, frozenset[Value]], ...]
    rows: tuple[Row, ...]
    all_rows: tuple[str, ...]
    readings: tuple[str, ...]
    file: str
    _key: Callable[[Mapping[str, Value]], Any] = field(repr=False, compare=False)
    _known: dict[Any, Decision] = field(default_factory=dict, repr=False, compare=False)

    def decide(self, inputs: Mapping[str, Value]) -> Decision:
        """Return the decision for one value of each input; a number stands for its class.

        Raises InputsError for a missing input, a value outside its domain, or a gap.
        """
        if len(inputs) == len(self.inputs):
            try:
                return self._known[self._key(inputs)]
            except (KeyError, TypeError):
                pass  # asked for the first time, by number, or wrongly
        combination = self.combination(inputs)
        key = self._key(combination)
        if key not in self._known:
            row = next((row for row in self.rows if row.matches(combination)), None)
            if row is None:
                raise InputsError(f"{self.id}: no row matches {combination}")
            self._known[key] = row.decision
        return self._known[key]

    def combination(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """Return the inputs as values of the table's domains; may raise InputsError."""
        if not inputs.keys() <= self.inputs.keys():
            unknown = ", ".join(sorted(inputs.keys() - self.inputs.keys()))
            raise InputsError(f"{self.id} has no input {unknown}")
        found: dict[str, Value] = {}
        for name, domain in self.inputs.items():
            if name not in inputs:
                raise InputsError(f"{self.id} needs {name}, one of {', '.join(map(str, domain))}")
            value = inputs[name]
            if name in self.cuts and isinstance(value, int) and not isinstance(value, bool):
                value = self.cuts[name].classify(value)
            if not _among(value, domain):
                listed = ", ".join(map(str, domain))
                raise InputsError(f"{self.id}.{name}: {value!r} is not one of {listed}")
            found[name] = value
        return found

    def accepted(self, inputs: Mapping[str, Value]) -> tuple[Mapping[str, Value], ...]:
        """Return every outcome that conforms: open rows accept several, free orders add theirs."""
        combination = self.combination(inputs)
        before: list[str] = []
        found: list[Mapping[str, Value]] = []
        for row in self.rows:
            if not row.matches(combination):
                continue
            if row.any_order_with.issuperset(before):
                found += [outcome for outcome in row.outcomes if outcome not in found]
            before.append(row.id)
        return tuple(found)

    def possible(self, combination: Mapping[str, Value]) -> bool:
        """Tell whether a combination can arise."""
        return not any(
            all(combination[name] in values for name, values in gone.items()) for gone in self.never
        )

    def combinations(self) -> Iterator[dict[str, Value]]:
        """Yield every combination that can arise, in the order of the domains."""
        for values in itertools.product(*self.inputs.values()):
            combination = dict(zip(self.inputs, values, strict=True))
            if not self.never or self.possible(combination):
                yield combination


def _among(value: Value, domain: tuple[Value, ...]) -> bool:
    """Tell whether a value is one of a domain, where true is not 1."""
    if type(value) is str:
        return value in domain
    return value in domain and any(value == v and type(value) is type(v) for v in domain)


def table_of(
    source: Mapping[str, Any], chosen: Mapping[str, str | int], limits: Mapping[str, int], file: str
) -> Table:
    """Return the table that a valid file describes, under the chosen readings."""
    cuts = {
        name: _cuts(domain["cuts"], chosen, limits)
        for name, domain in source["inputs"].items()
        if isinstance(domain, dict)
    }
    inputs = {
        name: cuts[name].classes if name in cuts else tuple(domain)
        for name, domain in source["inputs"].items()
    }
    names = tuple(inputs)
    rows = tuple(
        _row(row, tuple(source["outcome"]), chosen)
        for row in source["rows"]
        if _holds(row.get("when", {}), chosen)
    )
    getter = itemgetter(*names)
    return Table(
        id=f"{source['family']}/{source['id']}",
        title=source["title"],
        inputs=MappingProxyType(inputs),
        cuts=MappingProxyType(cuts),
        outcome=MappingProxyType({name: tuple(v) for name, v in source["outcome"].items()}),
        never=tuple(
            {name: frozenset(values) for name, values in gone.items()}
            for gone in source.get("never", ())
        ),
        rows=rows,
        all_rows=tuple(row["id"] for row in source["rows"]),
        readings=tuple(sorted(readings_of(source))),
        file=file,
        _key=getter,
    )


def _holds(when: Mapping[str, Any], chosen: Mapping[str, str | int]) -> bool:
    """Tell whether a row's conditions on readings hold."""
    return all(
        chosen[name.removeprefix(READING)] in values
        for name, values in when.items()
        if name.startswith(READING)
    )


def _row(
    source: Mapping[str, Any], fields: tuple[str, ...], chosen: Mapping[str, str | int]
) -> Row:
    """Return a row under the chosen readings."""
    then = resolve(source["then"], chosen)
    if not isinstance(then, dict):
        then = {fields[0]: then}
    outcome = {name: resolve(value, chosen) for name, value in then.items()}
    when = source.get("when", {})
    return Row(
        id=source["id"],
        when={n: frozenset(v) for n, v in when.items() if not n.startswith(READING)},
        decision=Decision(
            MappingProxyType(outcome), source["id"], tuple(source["clauses"]), source["binding"]
        ),
        accept=tuple(source.get("accept", ())),
        any_order_with=frozenset(source.get("any_order_with", ())),
    )


def _cuts(sources: list[Any], chosen: Mapping[str, str | int], limits: Mapping[str, int]) -> Cuts:
    """Return the cuts of a numeric input; a limit or a number reading names its own."""
    names: list[str] = []
    numbers: list[int] = []
    for cut in sources:
        if isinstance(cut, dict) and "$limit" in cut:
            names.append(cut["$limit"])
            numbers.append(limits[cut["$limit"]])
        elif isinstance(cut, dict):
            names.append(cut["$reading"])
            numbers.append(int(chosen[cut["$reading"]]))
        else:
            names.append(str(cut))
            numbers.append(cut)
    return Cuts(tuple(names), tuple(numbers))
