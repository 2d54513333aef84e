"""The report as one page of HTML, which needs nothing but itself."""

from __future__ import annotations

import json
from html import escape
from typing import IO, TYPE_CHECKING

from memrules_conformance.checks import Verdict

from .findings import VERDICTS, deciding_rows, row_words, statement
from .inputs import input_lines

if TYPE_CHECKING:
    from collections import Counter

    from memrules_conformance.checks import Outcome
    from memrules_conformance.report import Totals

    from .findings import Findings

MOST_ROWS = 3
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1c2128; background: #fff }
table { border-collapse: collapse } td, th { padding: .2rem .8rem; text-align: right }
td:first-child, th:first-child { text-align: left } tr:nth-child(even) td { background: #f4f5f7 }
section { border-left: 4px solid #c62828; margin: 1.5rem 0; padding: .1rem 1rem }
section.unsupported { border-color: #9a6700 } dt { font-weight: 600 }
dd { margin: 0 0 .4rem; white-space: pre-wrap; overflow-wrap: anywhere }
dd, code { font-family: ui-monospace, monospace; font-size: .9em }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181d }
  tr:nth-child(even) td { background: #22252c } }
"""


def write(findings: Findings, stream: IO[str]) -> None:
    """Write the report as a page; what a target said is escaped."""
    report = findings.report
    title = f"memrules {findings.kit}: {report.target}"
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(title)}</title><style>{STYLE}</style><h1>{escape(title)}</h1>",
    ]
    if report.refused:
        parts.append(f"<p>Nothing was asked: {escape(report.refused)}</p>")
    else:
        parts += [_areas(findings), f"<p>Tables: {findings.proof}.</p>"]
        parts += [_failure(findings, outcome) for outcome in findings.bad()]
    stream.write("\n".join(parts) + "\n</html>\n")


def _areas(findings: Findings) -> str:
    """Return the table of areas, with the stubs below it."""
    report = findings.report
    heads = "".join(f"<th>{name}" for name in ("area", *VERDICTS, "core", "full"))
    rows = [f"<tr>{heads}"]
    rows += [_row(a, counts, findings.totals_of(a)) for a, counts in report.by_area().items()]
    rows.append(_row("all", report.counts(), report.totals()))
    blank = "<td>" * len(VERDICTS)
    rows += [
        f"<tr><td>stub {name}{blank}{_shares(score)}" for name, score in findings.stubs.items()
    ]
    return "<table>" + "\n".join(rows) + "</table>"


def _row(area: str, counts: Counter[Verdict], totals: Totals) -> str:
    cells = "".join(f"<td>{counts[verdict]}" for verdict in VERDICTS)
    return f"<tr><td>{escape(area)}{cells}{_shares(totals)}"


def _shares(totals: Totals) -> str:
    """Return the cells of both percentages; nothing that counts has none."""
    return "".join(
        f"<td>{s.percent:.1f} %" if s.of else "<td>-" for s in (totals.core, totals.full)
    )


def _failure(findings: Findings, outcome: Outcome) -> str:
    """Return everything that is said of one check that did not pass."""
    check, rules = outcome.check, findings.rules
    told = [("clause", f"{c} {statement(rules, c)}") for c in check.clauses[:1]]
    told.append(("input", "\n".join(input_lines(check))))
    if outcome.verdict is Verdict.FAIL:
        rows = [row_words(rules, row) for row in deciding_rows(rules, check)[:MOST_ROWS]]
        told += [
            ("at", outcome.where),
            ("expected", json.dumps(outcome.expected, ensure_ascii=False, default=str)),
            ("came back", json.dumps(outcome.actual, ensure_ascii=False, default=str)),
            ("decided by", "\n".join(rows)),
        ]
    else:
        told.append(("what", outcome.message))
    told.append(("again", findings.replay.command(check.id)))
    entries = "".join(f"<dt>{name}<dd>{escape(text)}" for name, text in told if text)
    head = f"<h2>{outcome.verdict}: {escape(check.id)}</h2><p>{escape(check.name)}</p>"
    return f'<section class="{outcome.verdict}">{head}<dl>{entries}</dl></section>'
