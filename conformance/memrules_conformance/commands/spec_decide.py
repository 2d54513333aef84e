"""``memrules spec decide TABLE INPUT=VALUE ...``: what a table says of one combination."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from memrules_spec import InputsError

from .errors import UsageError
from .options import add_rules, find, pair, rules_of, under

if TYPE_CHECKING:
    import argparse

    from memrules_spec import Table
    from memrules_spec.tables import Value

    from .options import Commands

MOST_DIGITS = 18


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "decide",
        help="ask a table",
        description="Ask a table about one value of each of its inputs.",
        epilog="memrules spec show TABLE lists the inputs of a table and their values.",
    )
    parser.set_defaults(run=run)
    parser.add_argument("table", metavar="TABLE", help="such as eligibility or lite/eligibility")
    parser.add_argument("inputs", nargs="*", type=pair, metavar="INPUT=VALUE")
    add_rules(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(chosen: argparse.Namespace) -> int:
    """Decide, print and return the exit code."""
    rules, _ = under(rules_of(chosen), chosen.readings)
    table: Table = find(chosen.table, rules.tables, "table")
    inputs: dict[str, Value] = {}
    for name, text in chosen.inputs:
        if name in inputs:
            raise UsageError(f"{name} is given twice; give each input one value.")
        inputs[name] = _value(table, name, text)
    try:
        decision = table.decide(inputs)
        accepted = table.accepted(inputs)
    except InputsError as error:
        raise UsageError(f"{error}.  `memrules spec show {table.id}` lists its inputs.") from error
    if chosen.format == "json":
        found = {
            "table": table.id,
            "inputs": table.combination(inputs),
            "outcome": dict(decision.outcome),
            "row": decision.row,
            "clauses": list(decision.clauses),
            "accepted": [dict(outcome) for outcome in accepted],
        }
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
        return 0
    words = [
        *(f"{name}: {value}" for name, value in decision.outcome.items()),
        f"row {decision.row} of {table.id} ({decision.binding})",
    ]
    if len(accepted) > 1:
        words.append(f"conforming too: {'; '.join(_outcome(o) for o in accepted[1:])}")
    words += [f"{id_} {rules.clauses[id_].statement}" for id_ in decision.clauses]
    sys.stdout.write("\n".join(words) + "\n")
    return 0


def _value(table: Table, name: str, text: str) -> Value:
    """Return the value of an input that a text stands for: one of its domain, or a number."""
    for known in table.inputs.get(name, ()):
        if text == (json.dumps(known) if isinstance(known, bool) else str(known)):
            return known
    if text.isdecimal() and len(text) > MOST_DIGITS:
        raise UsageError(f"{name}: a number of {len(text)} digits; give {MOST_DIGITS} at most.")
    return int(text) if text.isdecimal() else text


def _outcome(outcome: object) -> str:
    return ", ".join(f"{n} {v}" for n, v in dict(outcome).items())  # type: ignore[call-overload]
