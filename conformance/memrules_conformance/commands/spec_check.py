"""``memrules spec check``: every fault of the rules, what the tables prove, what is covered."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table as Grid

from memrules_conformance.coverage import coverage
from memrules_conformance.reports.text import console_on
from memrules_conformance.suite import suite
from memrules_conformance.worlds import ENTRIES, shown
from memrules_spec import Fault, SpecError
from memrules_spec.checking import prove_rules

from .documents import document_faults
from .errors import UsageError
from .options import rules_of

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from memrules_conformance.checks import Check
    from memrules_conformance.coverage import Coverage
    from memrules_spec import Clause, Rules, Table

    from .options import Commands

FORMAT = 1


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "check",
        help="find every fault of the rules",
        description=(
            "Read every file of the rules, prove every table and machine under the defaults and "
            "under every single other option of a reading, and count which clauses are covered."
        ),
        epilog=(
            "Exit codes: 0 no fault, 1 faults, 2 wrong usage.  A strict clause that no check "
            "decides is a fault too."
        ),
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--spec", type=Path, metavar="DIR", help="the folder of the rules (default: memrules' own)"
    )
    parser.add_argument(
        "--documents",
        type=Path,
        metavar="DIR",
        help="a folder with the rule documents: also compare the digests of their lines",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(chosen: argparse.Namespace) -> int:
    """Check the rules and return the exit code."""
    if chosen.documents is not None and not chosen.documents.is_dir():
        raise UsageError(f"{chosen.documents} is no folder; --documents wants one of documents")
    try:
        rules = rules_of(chosen)
    except SpecError as error:
        found: dict[str, Any] = {"format": FORMAT, "families": {}, "faults": _said(error.faults)}
    else:
        found = examine(rules, chosen.documents)
    if chosen.format == "json":
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    else:
        _write(found, console_on(sys.stdout))
    return int(bool(found["faults"]))


def examine(rules: Rules, documents: Path | None) -> dict[str, Any]:
    """Return everything that ``spec check`` says, as ``spec-check.schema.json`` has it."""
    tables, machines = prove_rules(rules)
    faults = [fault for table in tables for fault in table.faults]
    faults += [fault for machine in machines for fault in machine.faults]
    if documents is not None:
        faults += document_faults(rules, documents)
    checks = suite(rules)
    faults += _uncovered(rules, checks)
    worlds = {name: _worlds(table) for name, table in rules.tables.items()}
    return {
        "format": FORMAT,
        "families": {
            family: {
                "clauses": _clauses(rules, family, checks),
                "tables": [
                    {
                        "id": table.id,
                        "combinations": table.combinations,
                        "worlds": worlds[table.id],
                        "rows": table.rows,
                        "readings": table.choices - 1,
                        "gaps": table.gaps,
                        "dead": list(table.dead),
                    }
                    for table in tables
                    if table.id.partition("/")[0] == family
                ],
                "machines": [
                    {
                        "id": machine.id,
                        "states": machine.states,
                        "events": machine.events,
                        "cells": machine.cells,
                    }
                    for machine in machines
                    if machine.id.partition("/")[0] == family
                ],
            }
            for family in rules.chosen
        },
        "faults": _said(faults),
    }


def _uncovered(rules: Rules, checks: tuple[Check, ...]) -> list[Fault]:
    """Return a fault for each strict clause that a target could show and no check decides."""
    found = set(coverage(rules, checks, rules.clauses.values()).uncovered_strict)
    return [
        document.fault(
            ("clauses", place, "id"),
            f"{clause['id']} is strict and no check names it first; write a fixture that does",
        )
        for family in rules.chosen
        for document in rules.sources(family).clauses
        for place, clause in enumerate(document.value["clauses"])
        if clause["id"] in found
    ]


def _clauses(rules: Rules, family: str, checks: tuple[Check, ...]) -> dict[str, Any]:
    """Return the coverage of a family's clauses, whole and by section."""
    mine = sorted(
        (clause for clause in rules.clauses.values() if clause.family == family), key=_in_order
    )
    sections = dict.fromkeys(clause.section for clause in mine)
    whole = coverage(rules, checks, mine)
    return {
        **_counts(whole),
        "uncovered_strict": list(whole.uncovered_strict),
        "sections": {
            section: _counts(coverage(rules, checks, [c for c in mine if c.section == section]))
            for section in sections
        },
    }


def _in_order(clause: Clause) -> list[int]:
    """Return the numbers of a clause's id, by which clauses stand in the order of the document."""
    return [int(number) for number in re.findall(r"[0-9]+", clause.id)]


def _counts(found: Coverage) -> dict[str, int]:
    """Return how many clauses are what."""
    return {
        "total": found.total,
        "covered": len(found.covered),
        "reasoned": len(found.reasoned),
        "uncovered": len(found.uncovered),
        "unbitten": len(found.unbitten),
    }


def _worlds(table: Table) -> dict[str, Any]:
    """Return how many worlds show a table by each entry point, and what none can show, and why."""
    found: dict[str, Any] = {}
    for entry in ENTRIES:
        if entry.table == table.id:
            worlds, not_shown = shown(table, entry.build)
            found[entry.name] = {"worlds": worlds, "not_shown": not_shown}
    return found


def _said(faults: tuple[Fault, ...] | list[Fault]) -> list[dict[str, Any]]:
    """Return faults as JSON."""
    return [
        {"file": f.file, "line": f.line, "path": list(f.path), "message": f.message, "text": str(f)}
        for f in faults
    ]


def _write(found: dict[str, Any], console: Console) -> None:
    """Write what was found for people."""
    for family, said in found["families"].items():
        clauses = said["clauses"]
        sections = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("section", "clauses", "covered", "reasoned", "uncovered", "unbitten"):
            sections.add_column(name, justify="left" if name == "section" else "right")
        for section, counts in (*clauses["sections"].items(), (f"all of {family}", clauses)):
            numbers = [counts[n] for n in ("total", "covered", "reasoned", "uncovered", "unbitten")]
            sections.add_row(section, *map(str, numbers))
        console.print(sections)
        console.print()
        console.print(_tables(said["tables"]))
        console.print()
        console.print(_machines(said["machines"]))
        console.print()
    for fault in found["faults"]:
        console.print(fault["text"], soft_wrap=True)
    count = len(found["faults"])
    console.print("no fault" if not count else f"{count} fault{'s' if count > 1 else ''}")


def _tables(tables: list[dict[str, Any]]) -> Grid:
    """Return the grid of what the tables prove."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("table", "combinations", "worlds", "rows", "gaps", "dead rows"):
        grid.add_column(name, justify="left" if name == "table" else "right")
    for table in tables:
        worlds = sum(entry["worlds"] for entry in table["worlds"].values())
        grid.add_row(
            table["id"],
            f"{table['combinations']:,}",
            f"{worlds:,}",
            str(table["rows"]),
            str(table["gaps"]),
            str(len(table["dead"])),
        )
    return grid


def _machines(machines: list[dict[str, Any]]) -> Grid:
    """Return the grid of the machines."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("machine", "states", "events", "cells"):
        grid.add_column(name, justify="left" if name == "machine" else "right")
    for machine in machines:
        grid.add_row(machine["id"], *(str(machine[n]) for n in ("states", "events", "cells")))
    return grid
