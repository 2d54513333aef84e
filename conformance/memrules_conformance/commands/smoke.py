"""``memrules smoke TARGET``: a dozen calls that tell a new adapter's author what works so far."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from memrules_conformance.checks import Verdict
from memrules_conformance.judge import Options
from memrules_conformance.judge import run as judge
from memrules_conformance.smoke import STEPS
from memrules_conformance.stdio import Limits
from memrules_conformance.targets import target_of

from .options import positive, rules_of

if TYPE_CHECKING:
    import argparse

    from memrules_conformance.report import Report

    from .options import Commands

MARKS = {Verdict.PASS: "works", Verdict.FAIL: "answers wrong", Verdict.UNSUPPORTED: "not yet"}


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "smoke",
        help="try a new adapter with a dozen calls",
        description="Try a target with a dozen calls; say what works and what to do next.",
        epilog="Exit codes: 0 nothing is wrong so far, 1 something is, 3 it does not start.",
    )
    parser.set_defaults(run=run, spec=None)
    parser.add_argument("target", metavar="TARGET", help="as for memrules check")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one call")


def run(chosen: argparse.Namespace) -> int:
    """Try the target and return the exit code."""
    limits = replace(Limits(), call=chosen.timeout) if chosen.timeout else Limits()
    options = Options(rules=rules_of(chosen), limits=limits, retry=False)
    report = judge(target_of(chosen.target), [step.check for step in STEPS], options)
    if report.refused:
        sys.stderr.write(
            f"{report.refused}\n"
            "next: answer hello on one line of stdout, and print everything else to stderr\n"
        )
        return 3
    _write(report)
    return report.exit_code()


def _write(report: Report) -> None:
    """Write a line a step, then the first thing to do."""
    hello = report.hello
    lines = [
        f"{report.target}: {hello['name']} {hello['version']} ({hello['language']}) says hello"
    ]
    todo: list[str] = []
    for step, outcome in zip(STEPS, report.outcomes, strict=True):
        mark = MARKS.get(outcome.verdict, "breaks")
        said = f": {outcome.message}" if outcome.message else ""
        lines.append(f"  {mark:<14} {step.check.name}{said}")
        if outcome.verdict is not Verdict.PASS:
            todo.append(step.advice)
    if todo:
        lines.append(f"next: {todo[0]}")
    else:
        lines.append(f"next: memrules check {shlex.quote(report.target)}")
    sys.stdout.write("\n".join(lines) + "\n")
