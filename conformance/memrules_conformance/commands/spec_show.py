"""``memrules spec show ID``: one clause, table, row, machine or reading, as people read it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from memrules_conformance.reports.findings import row_words

from .errors import UsageError
from .options import add_rules, rules_of, under

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from memrules_spec import Clause, Reading, Rules, Table
    from memrules_spec.machines import Machine
    from memrules_spec.tables import Row

    from .options import Commands


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "show",
        help="show a clause, table, row, machine or reading",
        description="Show one part of the rules.",
        epilog="Examples: LM-3.33, eligibility, eligibility/E2, learning, archived-read.",
    )
    parser.set_defaults(run=run)
    parser.add_argument("id", metavar="ID", help="of a clause, table, TABLE/ROW, machine, reading")
    add_rules(parser)


def run(chosen: argparse.Namespace) -> int:
    """Show what the id stands for and return the exit code."""
    rules, _ = under(rules_of(chosen), chosen.readings)
    if not (parts := ["\n".join(lines) for lines in _found(rules, chosen.id)]):
        raise UsageError(
            f"{chosen.id} is no clause, table, row (TABLE/ROW), machine or reading.\n"
            f"tables: {', '.join(rules.tables)}\nmachines: {', '.join(rules.machines)}"
        )
    sys.stdout.write("\n\n".join(parts) + "\n")
    return 0


def _found(rules: Rules, name: str) -> Iterator[list[str]]:
    """Yield the lines of everything that a name stands for; a family may be left out."""
    if name in rules.clauses:
        yield clause_lines(rules.clauses[name])
    for family, readings in rules.readings.items():
        if name.removeprefix(f"{family}/") in readings:
            key = name.removeprefix(f"{family}/")
            yield reading_lines(readings[key], rules.chosen[family][key])
    for table in rules.tables.values():
        short = table.id.partition("/")[2]
        if name in (table.id, short):
            yield _table_lines(rules, table)
        for row in table.rows:
            if name in (f"{table.id}/{row.id}", f"{short}/{row.id}"):
                yield _row_lines(rules, table, row)
    for machine in rules.machines.values():
        if name in (machine.id, machine.id.partition("/")[2]):
            yield _machine_lines(machine)


def clause_lines(clause: Clause) -> list[str]:
    """Return a clause as lines."""
    lines = ", ".join(map(str, clause.lines))
    found = [
        f"{clause.id} ({clause.binding}, {clause.level}): {clause.statement}",
        f"source: {clause.family}, section {clause.section}, lines {lines}",
        f"entry points: {', '.join(clause.entries)}",
        f"checked by {clause.checked}: {clause.check}",
    ]
    more = {
        "reason": clause.reason,
        "note": clause.note,
        "readings": ", ".join(clause.readings),
        "related": ", ".join(clause.related),
    }
    return found + [f"{name}: {text}" for name, text in more.items() if text]


def reading_lines(reading: Reading, value: str | int) -> list[str]:
    """Return a reading as lines, its options with what they mean."""
    found = [f"reading {reading.key}: {reading.question}"]
    for option, meaning in reading.options.items():
        marks = [m for m, is_it in (("default", option == reading.default),) if is_it]
        marks += ["chosen"] if option == value != reading.default else []
        found.append(f"  {option}{f' ({marks[0]})' if marks else ''}: {meaning}")
    if reading.kind == "number":
        found.append(
            f"  a number from {reading.least} to {reading.most}; {reading.default} by default"
        )
    if reading.kind == "text":
        found.append(f"  {reading.default}")
    found.append(f"  why: {reading.why}")
    if reading.clauses:
        found.append(f"  clauses: {', '.join(reading.clauses)}")
    return found


def _table_lines(rules: Rules, table: Table) -> list[str]:
    """Return a table as lines: inputs, outcome, then each row."""
    return [
        f"table {table.id}: {table.title}",
        "inputs:",
        *(f"  {name}: {_listed(values)}" for name, values in table.inputs.items()),
        "outcome:",
        *(f"  {name}: {_listed(values)}" for name, values in table.outcome.items()),
        "rows, of which the first that matches decides:",
        *(
            f"  {row_words(rules, f'{table.id}/{row.id}').removeprefix(f'{table.id}/')}"
            f"  [{', '.join(row.decision.clauses)}]"
            for row in table.rows
        ),
    ]


def _row_lines(rules: Rules, table: Table, row: Row) -> list[str]:
    """Return a row as lines, with the clauses that it rests on."""
    found = [row_words(rules, f"{table.id}/{row.id}"), f"binding: {row.decision.binding}"]
    if row.accept:
        found.append(f"conforming: {'; '.join(_listed(o.values()) for o in row.accept)}")
    if row.any_order_with:
        found.append(f"in any order with: {', '.join(sorted(row.any_order_with))}")
    return found + [f"{id_} {rules.clauses[id_].statement}" for id_ in row.decision.clauses]


def _machine_lines(machine: Machine) -> list[str]:
    """Return a machine as lines: states, events and what causes them, then each cell."""
    found = [
        f"machine {machine.id}: {machine.title}",
        f"states: {_listed(machine.states)}, at first {machine.initial}",
        "events:",
        *(f"  {event}: {cause}" for event, cause in machine.events.items()),
        "cells:",
    ]
    for (state, event), cell in machine.cells.items():
        if cell.cannot:
            what = f"cannot arise: {cell.cannot}"
        elif cell.by:
            what = f"decided by the table {cell.by}"
        else:
            what = " else ".join(
                f"{to}{f' when {_condition(when)}' if when else ''}" for when, to in cell.guards
            )
        found.append(f"  {state} + {event}: {what}  [{', '.join(cell.clauses)}]")
    return found


def _condition(when: Any) -> str:
    return " and ".join(f"{name} is {' or '.join(sorted(v))}" for name, v in when.items())


def _listed(values: Any) -> str:
    return ", ".join(map(str, values))
