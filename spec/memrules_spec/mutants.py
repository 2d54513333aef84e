"""First-order mutants of the rules, each with the exact combinations for which it goes wrong.

A mutant that gives only outcomes that conform anyway is equivalent, and is counted as such; what
it changes is decided with the bitsets of :mod:`memrules_spec.proofs`, never by trying.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from .proofs import Space, possible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .rules import Rules
    from .tables import Decision, Row, Table, Value

    OutcomeKey = tuple[tuple[str, str], ...]


ALL = -1
"""The bits of every combination of every table."""


@dataclass(frozen=True)
class Mutant:
    """One changed table: what was done, the rules with it, and where it no longer conforms.

    ``readings`` is the option under which it does not conform, if the defaults hide it;
    ``wrong`` are the combinations (bits of the table's Space) with a wrong outcome: ALL where any
    may be.  ``table`` is empty where the mutant is not of one table.
    """

    id: str
    kind: str
    table: str
    row: str
    readings: Mapping[str, str]
    rules: Rules
    wrong: int


def table_mutants(rules: Rules) -> Iterator[Mutant | str]:
    """Yield every mutant of every table; an equivalent one is yielded as its id alone."""
    variants = _variants(rules)
    for id_, table in rules.tables.items():
        chosen: list[tuple[dict[str, str], Rules]] = [({}, rules)]
        chosen += [
            ({key.partition("/")[2]: option}, variant)
            for (key, option), variant in variants.items()
            if key in {f"{id_.partition('/')[0]}/{r}" for r in table.readings}
        ]
        seen: dict[str, bool] = {}
        for readings, variant in chosen:
            conformity = Conformity(variant.tables[id_])
            for name, kind, row, mutated in _mutations(variant.tables[id_]):
                mutant_id = f"{id_}/{name}"
                if seen.get(mutant_id):
                    continue
                wrong = conformity.wrong(mutated)
                seen[mutant_id] = bool(wrong)
                if wrong:
                    tables = MappingProxyType({**variant.tables, id_: mutated})
                    yield Mutant(
                        mutant_id, kind, id_, row, readings, replace(variant, tables=tables), wrong
                    )
        yield from (mutant_id for mutant_id, bites in seen.items() if not bites)


def conforming(table: Table) -> dict[OutcomeKey, int]:
    """Return for each outcome the combinations for which it conforms."""
    return Conformity(table).good


class Conformity:
    """What conforms for a table, worked out once for all of its mutants."""

    def __init__(self, table: Table) -> None:
        space = Space(table.inputs)
        self.possible = possible(table, space)
        self.matching = {row.id: space.matching(row.when) & self.possible for row in table.rows}
        self.good: dict[OutcomeKey, int] = {}
        earlier: list[str] = []
        for row in table.rows:
            first = self.matching[row.id]
            for name in earlier:
                if name not in row.any_order_with:
                    first &= ~self.matching[name]
            for outcome in row.outcomes:
                key = _key(outcome)
                self.good[key] = self.good.get(key, 0) | first
            earlier.append(row.id)

    def wrong(self, mutated: Table) -> int:
        """Return the combinations for which a mutated table decides what does not conform.

        The mutant's rows match what the rows of the same ids match here.
        """
        left = self.possible
        wrong = 0
        for row in mutated.rows:
            decided = left & self.matching[row.id]
            left ^= decided
            wrong |= decided & ~self.good.get(_key(row.decision.outcome), 0)
        return wrong | left


def _variants(rules: Rules) -> dict[tuple[str, str], Rules]:
    """Return the rules under every single other option of every choice reading."""
    from .checking import flips  # noqa: PLC0415 checking proves rules, which mutants change

    return {(key, option): rules.with_readings({key: option}) for key, option in flips(rules)}


def _key(outcome: Mapping[str, Value]) -> OutcomeKey:
    """Return an outcome as a key; values of different types stay apart by their text."""
    return tuple(sorted((name, f"{value!r}") for name, value in outcome.items()))


def _mutations(table: Table) -> Iterator[tuple[str, str, str, Table]]:
    """Yield (name, kind, row, mutated table) for every row dropped, swapped, or changed."""
    rows = table.rows
    for place, row in enumerate(rows):
        yield f"{row.id} dropped", "drop", row.id, _with(table, (*rows[:place], *rows[place + 1 :]))
        for later in range(place + 1, len(rows)):
            if row.id in rows[later].any_order_with or not _overlap(row, rows[later]):
                continue
            swapped = list(rows)
            swapped[place], swapped[later] = swapped[later], swapped[place]
            yield f"{row.id} after {rows[later].id}", "swap", row.id, _with(table, tuple(swapped))
        for name, value in _other_outcomes(table, row):
            changed = replace(row, decision=_changed(row.decision, name, value), accept=())
            yield (
                f"{row.id} {name}={value}",
                "outcome",
                row.id,
                _with(table, (*rows[:place], changed, *rows[place + 1 :])),
            )


def _other_outcomes(table: Table, row: Row) -> Iterator[tuple[str, Value]]:
    """Yield every other value of every field of a row's outcome."""
    for name, domain in table.outcome.items():
        for value in domain:
            if value != row.decision.outcome[name]:
                yield name, value


def _changed(decision: Decision, name: str, value: Value) -> Decision:
    """Return a decision with one field of its outcome changed."""
    return replace(decision, outcome=MappingProxyType({**decision.outcome, name: value}))


def _overlap(one: Row, other: Row) -> bool:
    """Tell whether two rows can match the same combination."""
    return all(values & other.when.get(name, values) for name, values in one.when.items())


def _with(table: Table, rows: tuple[Row, ...]) -> Table:
    """Return a table with other rows and no memory of what it decided."""
    return replace(table, rows=rows, _known={})


def limit_mutants(rules: Rules) -> Iterator[Mutant]:
    """Yield each limit moved by one, down and up, for every table that it cuts."""
    for family, limits in rules.limits.items():
        for name, value in limits.items():
            for moved in (value - 1, value + 1):
                mutated = rules.with_limit(family, name, moved)
                for id_, table in rules.tables.items():
                    if any(name in cuts.names for cuts in table.cuts.values()):
                        mutant_id = f"{id_}/{name}={moved}"
                        yield Mutant(mutant_id, "limit", id_, "", {}, mutated, ALL)


def reading_mutants(rules: Rules) -> Iterator[Mutant]:
    """Yield each choice reading flipped without being declared; what hangs on no row is left out.

    Whoever runs one must hold the target to the defaults.
    """
    for (key, option), variant in _variants(rules).items():
        name = key.partition("/")[2]
        touched = [id_ for id_, t in rules.tables.items() if name in t.readings]
        if touched:
            yield Mutant(f"{key}={option}", "reading", "", "", {}, variant, ALL)


def cell_mutants(rules: Rules, machine: str) -> Iterator[Mutant]:
    """Yield each cell of a machine redirected to every state that does not conform there."""
    found = rules.machines[machine]
    for (state, event), cell in found.cells.items():
        conform = set(cell.accept) or {to for _, to in cell.guards}
        for to in found.states:
            if to in conform or cell.by or cell.cannot:
                continue
            cells = {**found.cells, (state, event): replace(cell, guards=(({}, to),))}
            machines = {**rules.machines, machine: replace(found, cells=MappingProxyType(cells))}
            mutated = replace(rules, machines=MappingProxyType(machines))
            yield Mutant(f"{machine}/{state}+{event}={to}", "cell", "", "", {}, mutated, ALL)
