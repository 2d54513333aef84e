"""``memrules explain FIXTURE|CLAUSE``: what it says, where it comes from, and why it is so."""

from __future__ import annotations

import difflib
import json
import sys
from typing import TYPE_CHECKING

from memrules_conformance.judge import Options, Session
from memrules_conformance.replay import Replay
from memrules_conformance.reports.findings import row_words
from memrules_conformance.reports.inputs import demand_lines, input_lines
from memrules_conformance.suite import suite
from memrules_conformance.targets import StartError, UsageError, target_of
from memrules_conformance.tracing import TracingTarget

from .options import add_rules, rules_of, under
from .spec_show import clause_lines, reading_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from memrules_conformance.checks import Check
    from memrules_spec import Rules

    from .options import Commands

REFERENCE = "reference"
MOST_CALLS = 12


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "explain",
        help="explain a clause or a fixture",
        description=(
            "For a clause: what it says, where it stands, the readings it leaves open, the checks "
            "that define it, the rows that cite it.  For a fixture or any other check: its steps, "
            "and which rows decide them, as the reference traces it."
        ),
    )
    parser.set_defaults(run=run)
    parser.add_argument("id", metavar="FIXTURE|CLAUSE", help="such as lite/read/missing#archived")
    add_rules(parser)


def run(chosen: argparse.Namespace) -> int:
    """Explain and return the exit code."""
    rules, _ = under(rules_of(chosen), chosen.readings)
    checks = suite(rules)
    if chosen.id in rules.clauses:
        lines = list(_clause(rules, checks, chosen.id))
    elif found := [c for c in checks if chosen.id in (c.id, c.id.partition("#")[0])]:
        parts = [list(_check(rules, check)) for check in found]
        lines = [line for part in parts for line in ("", *part)][1:]
    else:
        known = [*rules.clauses, *(check.id for check in checks)]
        near = difflib.get_close_matches(chosen.id, known, n=3, cutoff=0.6)
        hint = (
            f"did you mean {' or '.join(near)}?"
            if near
            else f"`memrules check {REFERENCE} --format json` lists them"
        )
        raise UsageError(f"{chosen.id} is neither a clause nor a check; {hint}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _clause(rules: Rules, checks: tuple[Check, ...], id_: str) -> Iterator[str]:
    """Yield everything that is known of a clause."""
    clause = rules.clauses[id_]
    yield from clause_lines(clause)
    for key in clause.readings:
        yield ""
        yield from reading_lines(
            rules.readings[clause.family][key], rules.chosen[clause.family][key]
        )
    for title, found in (
        ("checks that decide it:", [c for c in checks if id_ in c.clauses[:1]]),
        ("checks that name it too:", [c for c in checks if id_ in c.clauses[1:]]),
    ):
        if found:
            yield ""
            yield title
            yield from (f"  {c.id}{f': {c.name}' if c.name else ''}" for c in found)
    rows = [
        row_words(rules, f"{table.id}/{row.id}")
        for table in rules.tables.values()
        for row in table.rows
        if id_ in row.decision.clauses
    ]
    if rows:
        yield ""
        yield "rows that cite it:"
        yield from (f"  {row}" for row in rows)


def _check(rules: Rules, check: Check) -> Iterator[str]:
    """Yield everything that is known of a check."""
    yield f"{check.id}{f': {check.name}' if check.name else ''}"
    for id_ in check.clauses:
        clause = rules.clauses[id_]
        lines = ", ".join(map(str, clause.lines))
        yield f"{id_} ({clause.binding}): {clause.statement}"
        yield f"  section {clause.section}, lines {lines}"
    if check.readings:
        yield f"under {', '.join(f'{key}={option}' for key, option in check.readings.items())}"
    if given := input_lines(check):
        yield ""
        yield from given
        yield from (f"  {line}" for line in demand_lines(check))
    yield ""
    yield from _why(rules, check)
    yield f"ask it: {Replay(REFERENCE).command(check.id)}"


def _why(rules: Rules, check: Check) -> Iterator[str]:
    """Yield what the reference did and which rows decided it."""
    try:
        target = TracingTarget(target_of(REFERENCE))
        with Session(target, Options(rules=rules, readings=check.readings, retry=False)) as session:
            outcome = session.judge(check)
    except (UsageError, StartError) as error:
        yield f"the reference cannot say why: {error}"
        return
    yield f"the reference: {outcome.verdict}{f', {outcome.message}' if outcome.message else ''}"
    for call in target.seen[:MOST_CALLS]:
        args, result = (json.dumps(v, ensure_ascii=False) for v in (call.args, call.result))
        yield f"  {call.op} {args} -> {result}"
        for row in call.rows:
            yield f"    {row_words(rules, '/'.join((row['table'], row['row'])))}"
            yield f"      with {', '.join(f'{n}={v}' for n, v in row['inputs'].items())}"
    if (more := len(target.seen) - MOST_CALLS) > 0:
        yield f"  and {more} more calls"
