"""The report for people: a table of areas, what the tables prove, then every failure in full."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from memrules_conformance.checks import Verdict
from memrules_conformance.safe_text import clip
from memrules_conformance.suite import Unreadable

from .findings import VERDICTS, deciding_rows, row_words, statement
from .inputs import input_lines

if TYPE_CHECKING:
    from collections import Counter
    from typing import IO

    from memrules_conformance.checks import Check, Outcome
    from memrules_conformance.replay import Replay
    from memrules_conformance.report import Totals
    from memrules_spec import Rules

    from .findings import Findings

WIDTH = 100
"""Columns where the output is no terminal."""

MOST_TOLD = 20
"""Failures that are told in full; the other forms of the report hold them all."""

MOST_VALUE = 2000
MOST_ROWS = 3
COLORS = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.ERROR: "magenta",
    Verdict.UNSUPPORTED: "yellow",
    Verdict.HARNESS_ERROR: "magenta",
}


def console_on(stream: IO[str]) -> Console:
    """Return a console that prints text as it is, in colours only on a terminal."""
    width = None if stream.isatty() else WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def write(findings: Findings, stream: IO[str]) -> None:
    """Write the whole report."""
    console = console_on(stream)
    if findings.report.refused:
        return  # said on stderr
    _head(findings, console)
    console.print(_areas(findings))
    console.print(f"tables: {findings.proof}")
    _line(console, _levels(findings))
    if outside := len(findings.report.outside):
        console.print(f"not asked, for they hold only under other readings: {outside}")
    told = findings.bad()
    for outcome in told[:MOST_TOLD]:
        _tell(findings.rules, findings.replay, outcome, console)
    if rest := told[MOST_TOLD:]:
        console.print(f"\n{len(rest)} more did not pass; --report DIR writes them all:")
        for outcome in rest:
            _line(console, f"  {outcome.verdict:<13} {outcome.check.id}")
    console.print()
    _line(console, _conclusion(findings))


def _head(findings: Findings, console: Console) -> None:
    """Say what was checked, by what."""
    report = findings.report
    hello = report.hello
    who = f" ({hello['name']} {hello['version']}, {hello['language']})" if hello else ""
    _line(console, f"memrules {findings.kit} checks {report.target}{who}")
    spec, suite = report.spec_digest[:12], findings.suite_digest[:12]
    _line(console, f"spec {spec}, suite {suite}, seed {report.seed}")
    declared = [f"{k}={v}" for changed in findings.readings().values() for k, v in changed.items()]
    _line(console, f"readings: the defaults{', but ' + ', '.join(declared) if declared else ''}")
    console.print()


def _areas(findings: Findings) -> Table:
    """Return the table of areas, the sums, and what the stubs score beside them."""
    report = findings.report
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("area", no_wrap=True)
    for name in (*VERDICTS, "core", "full"):
        table.add_column(str(name), justify="right", no_wrap=True)
    for area, counts in report.by_area().items():
        table.add_row(area, *_counts(counts), *_shares(findings.totals_of(area)))
    table.add_section()
    table.add_row("all", *_counts(report.counts()), *_shares(report.totals()), style="bold")
    for name, score in findings.stubs.items():
        blanks = [""] * len(VERDICTS)
        table.add_row(f"stub {name}", *blanks, *_shares(score), style="dim")
    return table


def _counts(counts: Counter[Verdict]) -> list[Text]:
    """Return the cells of a row's verdicts; what is not there is dim."""
    return [Text(str(counts[v]), style=COLORS[v] if counts[v] else "dim") for v in VERDICTS]


def _shares(score: Totals) -> list[str]:
    """Return the percentages of a row; nothing that counts has none."""
    return [f"{s.percent:.1f} %" if s.of else "-" for s in (score.core, score.full)]


def _levels(findings: Findings) -> str:
    """Return what passed of each level of what a target offers."""
    parts = [
        f"{level} {counts[Verdict.PASS]}/{sum(counts.values())}"
        for level, counts in findings.report.by_level().items()
        if counts
    ]
    return f"passed by level: {', '.join(parts)}"


def tell(rules: Rules, replay: Replay, outcome: Outcome, stream: IO[str]) -> None:
    """Write everything that is said of one check that did not pass."""
    _tell(rules, replay, outcome, console_on(stream))


def _tell(rules: Rules, replay: Replay, outcome: Outcome, console: Console) -> None:
    """Tell one check that did not pass in full."""
    check = outcome.check
    console.print()
    head = Text(f"{outcome.verdict} ".upper(), style=f"bold {COLORS[outcome.verdict]}")
    console.print(head.append(check.id, style="bold"), soft_wrap=True)
    if check.name:
        _line(console, f"  {check.name}")
    for clause in check.clauses[:1]:
        _entry(console, "clause", f"{clause} ({check.binding}) {statement(rules, clause)}")
    for place, line in enumerate(input_lines(check)):
        _entry(console, "" if place else "input", line)
    if outcome.verdict is Verdict.FAIL:
        _entry(console, "at", outcome.where)
        _entry(console, "expected", _value(outcome.expected))
        _entry(console, "came back", _value(outcome.actual))
        if note := _note(outcome):
            _entry(console, "note", note)
        for place, row in enumerate(deciding_rows(rules, check)[:MOST_ROWS]):
            _entry(console, "" if place else "decided by", row_words(rules, row))
    elif outcome.verdict is Verdict.HARNESS_ERROR:
        _entry(console, "what", _last_words(check, outcome))
        _entry(console, "", "This is a fault of the suite, not of the target.")
    else:
        _entry(console, "what", outcome.message)
    _entry(console, "again", replay.command(check.id))


def _last_words(check: Check, outcome: Outcome) -> str:
    """Return what went wrong in the suite: every fault of a file, or the end of a traceback."""
    if isinstance(check.run, Unreadable):
        return "\n".join(map(str, check.run.faults))
    return outcome.message.strip().rpartition("\n")[2]


def _note(outcome: Outcome) -> str:
    """Return what a finding says beside what was expected and what came back."""
    said = f"{outcome.where}: expected {outcome.expected!r}, got {outcome.actual!r}"
    return outcome.message.removeprefix(said).removeprefix("; ")


def _entry(console: Console, name: str, text: str) -> None:
    """Print one thing that is said of a failure, its further lines below its first."""
    first, *others = text.split("\n")
    _line(console, f"  {name:<11} {first}")
    for other in others:
        _line(console, f"  {'':<11} {other}")


def _line(console: Console, text: str) -> None:
    """Print a line as it is: a command that is wrapped cannot be pasted."""
    console.print(text, soft_wrap=True)


def _value(value: Any) -> str:
    """Return a JSON value on one line, its beginning if it is long."""
    return clip(json.dumps(value, ensure_ascii=False, default=str), MOST_VALUE)


def _conclusion(findings: Findings) -> str:
    """Return the last line: whether the target conforms."""
    report = findings.report
    counts = report.counts()
    parts = [f"{counts[v]} {v}" for v in VERDICTS if counts[v]]
    words = {0: "conforms", 1: "does not conform", 3: "could not be judged whole"}
    return f"{report.target} {words[findings.exit_code]}: {', '.join(parts)}"
