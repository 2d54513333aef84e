"""``memrules spec mutate``: every mutant of the rules, and the checks that notice it."""

from __future__ import annotations

import html
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track

from memrules_conformance.mutation import Matrix, kills, mutants_of
from memrules_conformance.suite import suite
from memrules_conformance.targets import target_of

from .options import count, rules_of

if TYPE_CHECKING:
    import argparse

    from .options import Commands

FORMAT = 1
LEAST_MARGIN = 2
MOST_LISTED = 40


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "mutate",
        help="change every rule, one at a time, and see who notices",
        description=(
            "Drop, swap and change the rows of every table, move every limit, flip every reading "
            "undeclared and redirect the cells of learning; run each mutant against the fixtures "
            "and properties that ask what it changes. Equivalence is decided, not guessed."
        ),
        epilog="Exit codes: 0 all killed in two files or more, 1 survivors or a smaller margin.",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--spec", type=Path, metavar="DIR", help="the folder of the rules (default: memrules' own)"
    )
    parser.add_argument("--target", default="reference", help="one that takes rules")
    parser.add_argument(
        "--table", action="append", default=[], metavar="NAME", help="only mutants of a table"
    )
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=("drop", "swap", "outcome", "limit", "reading", "cell"),
        help="only mutants of a kind",
    )
    parser.add_argument(
        "--workers", type=count, default=os.cpu_count() or 1, metavar="N", help="processes"
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="write the matrix there")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(chosen: argparse.Namespace) -> int:
    """Try the mutants and return the exit code."""
    rules = rules_of(chosen)
    found = list(mutants_of(rules))
    wanted = [
        mutant
        for mutant in found
        if not isinstance(mutant, str)
        and (not chosen.table or mutant.table.partition("/")[2] in chosen.table)
        and (not chosen.kind or mutant.kind in chosen.kind)
    ]
    checks = [check for check in suite(rules) if check.kind in ("fixture", "property")]
    results = kills(target_of(chosen.target), checks, rules, wanted, chosen.workers)
    bar = track(
        results,
        "mutants",
        total=len(wanted),
        console=Console(file=sys.stderr),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    equivalent = tuple(mutant for mutant in found if isinstance(mutant, str))
    matrix = Matrix(tuple(bar), equivalent)
    said = as_json(matrix)
    if chosen.report is not None:
        chosen.report.mkdir(parents=True, exist_ok=True)
        text = json.dumps(said, ensure_ascii=False, indent=1)
        (chosen.report / "mutants.json").write_text(text, encoding="utf-8")
        (chosen.report / "mutants.html").write_text(_page(matrix), encoding="utf-8")
    if chosen.format == "json":
        print(json.dumps(said, ensure_ascii=False))  # noqa: T201 the answer
    else:
        _show(matrix)
    return int(bool(matrix.survived) or matrix.margin < LEAST_MARGIN)


def as_json(matrix: Matrix) -> dict[str, Any]:
    """Return the matrix with the keys of its schema."""
    return {
        "format": FORMAT,
        "mutants": len(matrix.killed) + len(matrix.equivalent),
        "killed": sum(bool(kill.by) for kill in matrix.killed),
        "equivalent": len(matrix.equivalent),
        "survived": list(matrix.survived),
        "margin": matrix.margin,
        "matrix": {kill.mutant: list(kill.by) for kill in matrix.killed},
    }


def _show(matrix: Matrix) -> None:
    """Print what became of the mutants, the survivors first."""
    console = Console(markup=False, highlight=False)
    thin = [kill for kill in matrix.killed if kill.by and kill.margin < LEAST_MARGIN]
    for title, lines in (
        ("survived", list(matrix.survived)),
        ("noticed in one file only", [f"{kill.mutant}  by {kill.by[0]}" for kill in thin]),
    ):
        if lines:
            console.print(f"{title}: {len(lines)}")
            for line in lines[:MOST_LISTED]:
                console.print(f"  {line}")
            if len(lines) > MOST_LISTED:
                console.print(f"  and {len(lines) - MOST_LISTED} more: --format json has them all")
    killed = sum(bool(kill.by) for kill in matrix.killed)
    console.print(
        f"{len(matrix.killed) + len(matrix.equivalent)} mutants: {killed} killed, "
        f"{len(matrix.survived)} survived, {len(matrix.equivalent)} equivalent; "
        f"margin {matrix.margin}"
    )


def _page(matrix: Matrix) -> str:
    """Return the matrix as a page: a row a mutant, with the checks that noticed it."""
    rows = "\n".join(
        f"<tr class={'killed' if kill.margin >= LEAST_MARGIN else 'thin'}>"
        f"<td>{html.escape(kill.kind)}<td>{html.escape(kill.mutant)}"
        f"<td>{html.escape(', '.join(kill.by)) or 'nobody'}"
        for kill in matrix.killed
    )
    return (
        "<!doctype html><meta charset=utf-8><title>Mutants of the rules</title>"
        "<style>body{font:14px sans-serif;margin:2em}td{padding:2px 8px;vertical-align:top}"
        ".thin{background:#fdd}</style><h1>Mutants of the rules</h1>"
        f"<p>{len(matrix.killed)} tried, {len(matrix.survived)} survived, "
        f"{len(matrix.equivalent)} equivalent, margin {matrix.margin}.</p>"
        f"<table><tr><th>kind<th>mutant<th>noticed by\n{rows}</table>\n"
    )
