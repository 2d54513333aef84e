"""``memrules check [TARGET]``: ask everything that is selected and report what came back."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from memrules_conformance.beside import scores_beside
from memrules_conformance.capabilities import LEVELS as OFFERED
from memrules_conformance.capabilities import capability_levels
from memrules_conformance.checks import LEVELS
from memrules_conformance.judge import Options
from memrules_conformance.judge import run as judge
from memrules_conformance.replay import Replay
from memrules_conformance.reports import FORMATS, Findings, Proof
from memrules_conformance.selection import NothingSelectedError, Selection
from memrules_conformance.shrunk import save_drafts
from memrules_conformance.stdio import Limits
from memrules_conformance.stub_scores import stub_scores
from memrules_conformance.suite import suite, suite_digest
from memrules_conformance.targets import target_of
from memrules_spec.checking import prove_rules
from memrules_spec.clauses import BINDINGS

from .errors import CommandError, UsageError
from .options import add_rules, count, make_folder, positive, rules_of, under
from .progress import Progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from memrules_conformance.checks import Check
    from memrules_spec import Rules

    from .options import Commands


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "check",
        help="check a target against the rules",
        description="Check a target against the rules, and tell what does not hold.",
        epilog=(
            "TARGET is reference, python:MODULE:FACTORY or stdio:COMMAND.  A name after --area, "
            "--clause or --fixture may be a pattern with *; each option may be repeated."
        ),
    )
    parser.set_defaults(run=run)
    parser.add_argument("target", nargs="?", default="reference", metavar="TARGET")
    _add_selection(parser)
    add_rules(parser)
    _add_running(parser)
    parser.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="NAME",
        help="a capability, a level or a family that must not be unsupported",
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="write every form there")
    parser.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="write the smallest failure of each property there, as the draft of a fixture",
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="of the output")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """Add the options that select checks."""
    for name, meaning in (
        ("family", "the checks of a family, such as lite"),
        ("area", "the checks of an area, as the report names it"),
        ("clause", "the checks that name a clause, such as LM-3.33"),
        ("fixture", "a check by its id, or a file of fixtures, at every level"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=meaning)
    parser.add_argument("--binding", action="append", default=[], choices=BINDINGS)
    parser.add_argument("--level", choices=LEVELS, help="how much is asked (default: default)")


def _add_running(parser: argparse.ArgumentParser) -> None:
    """Add the options of which none changes a verdict."""
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    parser.add_argument("--workers", type=count, default=1, metavar="N", help="checks at a time")
    parser.add_argument("--shuffle", action="store_true", help="ask in another order")
    parser.add_argument(
        "--timeout", type=positive, metavar="SECONDS", help="for one call (default: 10)"
    )
    parser.add_argument("--store-root", type=Path, metavar="DIR", help="where stores are made")


def run(chosen: argparse.Namespace) -> int:
    """Check the target and return the exit code."""
    rules = rules_of(chosen)
    asked_for, readings = under(rules, chosen.readings)
    _refuse_unknown(chosen.require, rules)
    target = target_of(chosen.target)
    for option in ("report", "save", "store_root"):
        make_folder(getattr(chosen, option), "--" + option.replace("_", "-"))
    selection = selection_of(chosen)
    progress = Progress(sys.stderr)
    options = Options(
        rules=rules,
        readings=readings,
        seed=chosen.seed,
        workers=chosen.workers,
        shuffle=chosen.shuffle,
        limits=replace(Limits(), call=chosen.timeout) if chosen.timeout else Limits(),
        store_root=chosen.store_root,
        most_worlds=selection.most_worlds,
        progress=progress.advance,
    )
    asked = _suite(selection, asked_for)
    scores = scores_beside(asked, replace(options, rules=asked_for))

    def checks(declared: Rules) -> Iterable[Check]:
        nonlocal asked, scores
        if declared.chosen != asked_for.chosen:  # the target goes by readings of its own
            asked = _suite(selection, declared)
            scores = partial(stub_scores, asked, replace(options, rules=declared))
        progress.begin(len(asked))
        return asked

    with progress:
        report = judge(target, checks, options)
    if report.refused:
        smoke = shlex.join(["memrules", "smoke", chosen.target])
        sys.stderr.write(f"{report.refused}\nNothing was asked.  Go step by step: {smoke}\n")
    declared = rules.with_readings(report.hello["readings"]) if report.hello else rules
    findings = Findings(
        kit=version("memrules"),
        report=report,
        rules=declared,
        replay=Replay(chosen.target, chosen.seed, readings, chosen.spec),
        suite_digest=suite_digest(() if report.refused else asked),
        proof=Proof.of(prove_rules(rules)[0]),
        stubs={} if report.refused else scores(),
        required=tuple(chosen.require),
    )
    FORMATS[chosen.format].write(findings, sys.stdout)
    if chosen.report is not None:
        _write_all(findings, chosen.report)
    if chosen.save is not None:
        for file in save_drafts(
            target, report.outcomes, replace(options, retry=False), chosen.save
        ):
            sys.stderr.write(f"draft of a fixture: {file}\n")
    return findings.exit_code


def _suite(selection: Selection, rules: Rules) -> tuple[Check, ...]:
    """Return the selected checks of the suite; raise CommandError if there are none."""
    try:
        return selection.of(suite(rules, quick=selection.level == "quick"))
    except NothingSelectedError as error:
        raise CommandError(str(error)) from error


def selection_of(chosen: argparse.Namespace) -> Selection:
    """Return the selection that the options name."""
    return Selection(
        families=tuple(chosen.family),
        areas=tuple(chosen.area),
        clauses=tuple(chosen.clause),
        fixtures=tuple(chosen.fixture),
        bindings=tuple(chosen.binding),
        level=chosen.level,
    )


def _refuse_unknown(required: Iterable[str], rules: Rules) -> None:
    """Raise UsageError for a required name that can never be met."""
    names = {*capability_levels(), *OFFERED, *rules.chosen}
    names |= {name.rpartition(".")[0] for name in names} - {""}
    for name in required:
        if name not in names:
            raise UsageError(
                f"--require {name}: there is no such capability, level or family; "
                "the list is spec/capabilities.yaml"
            )


def _write_all(findings: Findings, folder: Path) -> None:
    """Write every form of the report into a folder."""
    for form in FORMATS.values():
        with (folder / form.file).open("w", encoding="utf-8") as stream:
            form.write(findings, stream)
