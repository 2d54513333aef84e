"""The proofs of all tables and machines: under the defaults and under every single other option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .faults import Fault
from .proofs import Proof, Space, prove

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .machines import Machine
    from .rules import Rules
    from .tables import Table


@dataclass(frozen=True, slots=True)
class TableReport:
    """What was proved of one table: under how many choices of readings, and with which faults."""

    id: str
    combinations: int
    rows: int
    choices: int
    gaps: int
    dead: tuple[str, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class MachineReport:
    """What was proved of one machine."""

    id: str
    states: int
    events: int
    cells: int
    faults: tuple[Fault, ...]


def prove_rules(rules: Rules) -> tuple[list[TableReport], list[MachineReport]]:
    """Return the proof of every table and machine of some rules."""
    variants: dict[tuple[str, str] | None, Rules] = {None: rules}
    variants |= {(key, option): rules.with_readings({key: option}) for key, option in flips(rules)}
    tables = []
    for id_, table in rules.tables.items():
        family = id_.partition("/")[0]
        mine: dict[str, Table] = {"the defaults": table}
        for flip, variant in variants.items():
            if flip and flip[0] in {f"{family}/{key}" for key in table.readings}:
                mine[f"{flip[0].partition('/')[2]}={flip[1]}"] = variant.tables[id_]
        tables.append(_table_report(id_, mine))
    machines = []
    for id_ in rules.machines:
        different = {id(v.machines[id_]): v.machines[id_] for v in variants.values()}
        machines.append(_machine_report(id_, [*different.values()]))
    return tables, machines


def flips(rules: Rules) -> list[tuple[str, str]]:
    """Return every single other option of every choice reading, as (family/key, option)."""
    return [
        (f"{family}/{key}", option)
        for family, readings in rules.readings.items()
        for key, reading in readings.items()
        if reading.kind == "choice"
        for option in reading.options
        if option != rules.chosen[family][key]
    ]


def _table_report(id_: str, variants: Mapping[str, Table]) -> TableReport:
    """Return what is proved of a table under each choice of its readings."""
    proofs = {choice: prove(table) for choice, table in variants.items()}
    first = next(iter(variants.values()))
    dead = tuple(
        row
        for row in first.all_rows
        if not any(proof.decided_by.get(row, 0) for proof in proofs.values())
        and not _free(row, variants)
    )
    return TableReport(
        id=id_,
        combinations=next(iter(proofs.values())).combinations,
        rows=len(first.all_rows),
        choices=len(proofs),
        gaps=sum(proof.gaps for proof in proofs.values()),
        dead=dead,
        faults=tuple(_table_faults(first, proofs, dead)),
    )


def _free(row: str, variants: Mapping[str, Table]) -> bool:
    """Tell whether a row, overtaken everywhere, may still come first where the order is free."""
    for table in variants.values():
        for found in table.rows:
            if found.id == row and found.any_order_with:
                space = Space(table.inputs)
                mine = space.matching(found.when)
                for earlier in table.rows:
                    if earlier.id == row:
                        break
                    if earlier.id not in found.any_order_with:
                        mine &= ~space.matching(earlier.when)
                if mine:
                    return True
    return False


def _table_faults(
    table: Table, proofs: Mapping[str, Proof], dead: tuple[str, ...]
) -> Iterator[Fault]:
    """Yield the gaps, dead rows and unused values of a table, each with what shows it."""
    for choice, proof in proofs.items():
        if proof.gap is not None:
            shown = ", ".join(f"{name}={value}" for name, value in proof.gap.items())
            yield Fault(
                table.file,
                f"under {choice} {proof.gaps} combinations have no row, the first: {shown}",
                ("rows",),
            )
    for row in dead:
        yield Fault(
            table.file, "no combination reaches this row", ("rows", table.all_rows.index(row))
        )
    for name, domain in table.outcome.items():
        given = frozenset().union(*(proof.given[name] for proof in proofs.values()))
        for value in domain:
            if value not in given:
                yield Fault(table.file, f"no row gives {value!r}", ("outcome", name))
    for name in table.inputs:
        if not any(name in row.when for row in table.rows):
            yield Fault(table.file, "no row asks this input", ("inputs", name))


def _machine_report(id_: str, variants: list[Machine]) -> MachineReport:
    """Return what is proved of a machine: that the guards of each cell leave nothing out."""
    machine = variants[0]
    faults: list[Fault] = []
    space = Space(machine.inputs or {"nothing": ("-",)})
    for variant in variants:
        for (state, event), cell in variant.cells.items():
            if cell.by or cell.cannot:
                continue
            left = space.full
            for when, _ in cell.guards:
                left &= ~space.matching(when)
            if left:
                shown = ", ".join(f"{n}={v}" for n, v in space.witness(left).items())
                faults.append(
                    Fault(
                        machine.file,
                        f"({state}, {event}) has no next state for {shown}",
                        ("cells",),
                    )
                )
    return MachineReport(
        id=id_,
        states=len(machine.states),
        events=len(machine.events),
        cells=len(machine.cells),
        faults=tuple(dict.fromkeys(faults)),
    )
