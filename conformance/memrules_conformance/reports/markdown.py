"""The report as Markdown, for the summary of a job or a pull request."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING

from memrules_conformance.checks import Verdict

from .findings import VERDICTS, statement

if TYPE_CHECKING:
    from collections import Counter

    from memrules_conformance.checks import Outcome
    from memrules_conformance.report import Totals

    from .findings import Findings

MOST_TOLD = 50
MOST_VALUE = 400
_ESCAPED = str.maketrans({"|": "\\|", "`": "'", "<": "&lt;", ">": "&gt;", "\n": " "})


def write(findings: Findings, stream: IO[str]) -> None:
    """Write the report as Markdown."""
    report = findings.report
    lines = [f"# memrules {findings.kit}: {_plain(report.target)}", ""]
    if report.refused:
        lines.append(f"Nothing was asked: {_plain(report.refused)}")
    else:
        lines += _areas(findings)
        told = findings.bad()
        for outcome in told[:MOST_TOLD]:
            lines += _failure(findings, outcome)
        if (more := len(told) - MOST_TOLD) > 0:
            lines += ["", f"{more} more did not pass."]
    stream.write("\n".join(lines) + "\n")


def _areas(findings: Findings) -> list[str]:
    """Return the table of areas, with the stubs below it."""
    report = findings.report
    lines = [
        f"| area | {' | '.join(VERDICTS)} | core | full |",
        f"| --- |{' ---: |' * (len(VERDICTS) + 2)}",
    ]
    for area, counts in report.by_area().items():
        lines.append(_row(area, counts, findings.totals_of(area)))
    lines.append(_row("**all**", report.counts(), report.totals()))
    for name, score in findings.stubs.items():
        lines.append(f"| stub {name} |{' |' * len(VERDICTS)} {_shares(score)} |")
    return [*lines, "", f"Tables: {findings.proof}."]


def _row(area: str, counts: Counter[Verdict], totals: Totals) -> str:
    return f"| {area} | {' | '.join(str(counts[v]) for v in VERDICTS)} | {_shares(totals)} |"


def _shares(totals: Totals) -> str:
    """Return both percentages; nothing that counts has none."""
    return " | ".join(f"{s.percent:.1f} %" if s.of else "-" for s in (totals.core, totals.full))


def _failure(findings: Findings, outcome: Outcome) -> list[str]:
    """Return what is said of one check that did not pass."""
    check = outcome.check
    lines = ["", f"## {outcome.verdict}: `{_plain(check.id)}`", "", _plain(check.name), ""]
    lines += [f"- {c}: {_plain(statement(findings.rules, c))}" for c in check.clauses[:1]]
    if outcome.verdict is Verdict.FAIL:
        expected, actual = (_value(v) for v in (outcome.expected, outcome.actual))
        lines += [f"- expected at `{_plain(outcome.where)}`: `{expected}`", f"- came: `{actual}`"]
    else:
        lines.append(f"- {_plain(outcome.message.strip().rpartition(chr(10))[2])}")
    return [*lines, f"- again: `{findings.replay.command(check.id)}`"]


def _value(value: object) -> str:
    return _plain(json.dumps(value, ensure_ascii=False, default=str)[:MOST_VALUE])


def _plain(text: str) -> str:
    """Return a text that is neither markup nor the end of a cell."""
    return text.translate(_ESCAPED)
