"""Broken implementations: the reference with one mistake in it, and whether the suite sees that.

A mistake is a few lines of the reference replaced by others.  ``broken/*.yaml`` holds them, by
section of the rules::

    format: 1
    controls: [lite/routing/elsewhere]      # files of fixtures that have nothing to do with them
    mistakes:
      - {id: NAME, breaks: [LM-1.6], file: lite/gate.py, replace: OLD, by: NEW}
      - {id: NAME, breaks: [LM-4.59], changes: [{file:, replace:, by:}, ...],
         seen_by: [durability:lite/memory_save_new/io]}     # where no cheap check can see it

Each clause of ``breaks`` is decided by a check that is red: none stands there on trust.

A mistake may name the ``readings`` under which it shows, and say ``refuses: true`` if it refuses
what is to be accepted, so that the accepted twins of refusals are red as well.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memrules_reference
from judging import HERE, rules, run
from memrules_conformance.checks import Verdict
from memrules_conformance.fixtures import Play
from memrules_conformance.judge import Options
from memrules_conformance.suite import suite
from memrules_conformance.targets import PythonTarget
from memrules_conformance.worlds import machine_checks
from memrules_spec.strict_yaml import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memrules_conformance.checks import Check, Outcome
    from memrules_conformance.report import Report

PACKAGE = "memrules_reference"
MOST_LINES = 10
TURNS = (("fixture",), ("machine", "property"))
"""The kinds of checks in the order in which they are asked, until one is red."""
_RED = (Verdict.FAIL, Verdict.ERROR)


@dataclass(frozen=True, slots=True)
class Change:
    """A text that stands once in a file of the reference, and what is put in its place."""

    file: str
    replace: str
    by: str

    def applied(self, text: str) -> str:
        """Return a file's text with the change; raise ValueError unless it fits once."""
        found = text.count(self.replace)
        if found != 1:
            raise ValueError(f"{self.file} holds {self.replace!r} {found} times, not once")
        return text.replace(self.replace, self.by)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: the clauses that it breaks, and what is changed in the reference.

    ``seen_by`` are the checks that are asked where no cheap one can see it.  ``controls`` are files
    of fixtures that it leaves green; so are the accepted twins of red cases, unless it ``refuses``.
    """

    id: str
    breaks: tuple[str, ...]
    changes: tuple[Change, ...]
    controls: tuple[str, ...]
    seen_by: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    refuses: bool = False

    @property
    def options(self) -> Options:
        """How its checks are run."""
        return Options(readings=self.readings, retry=False, hasty=True)

    @property
    def lines(self) -> int:
        """How many lines the mistake takes or gives, the larger of the two."""
        return sum(
            max(text.count("\n") + 1 for text in (change.replace, change.by))
            for change in self.changes
        )


@cache
def mistakes() -> tuple[Mistake, ...]:
    """Return every mistake of ``broken/``; raise SpecError for a file that is not strict YAML."""
    return tuple(
        _mistake(entry, tuple(said["controls"]))
        for file in sorted((HERE / "broken").glob("*.yaml"))
        for said in [load(file)]
        for entry in said["mistakes"]
    )


def _mistake(entry: Mapping[str, Any], controls: tuple[str, ...]) -> Mistake:
    changes = entry.get("changes") or [{key: entry[key] for key in ("file", "replace", "by")}]
    return Mistake(
        id=entry["id"],
        breaks=tuple(entry["breaks"]),
        changes=tuple(Change(**change) for change in changes),
        controls=controls,
        seen_by=tuple(entry.get("seen_by", ())),
        readings=entry.get("readings", {}),
        refuses=entry.get("refuses", False),
    )


def broken(mistake: Mistake, folder: Path) -> PythonTarget:
    """Return the reference with a mistake, as a package of its own below ``folder``.

    ``folder`` is to be found by imports, here and in processes that are started.  Raises ValueError
    where the reference is not what the mistake expects.
    """
    name = f"broken_{mistake.id.replace('-', '_')}"
    package = folder / name
    source = Path(memrules_reference.__file__).parent
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    for change in mistake.changes:
        file = package / change.file
        file.write_text(change.applied(file.read_text("utf-8")), "utf-8")
    for file in package.rglob("*.py"):
        file.write_text(file.read_text("utf-8").replace(PACKAGE, name), "utf-8")
    return PythonTarget(f"broken: {mistake.id}", f"{name}.adapter:make_target")


@dataclass(frozen=True, slots=True)
class Seen:
    """What the suite says of a broken implementation."""

    report: Report
    """Of the last turn that was asked: the first with a red check, if one had any."""
    controls: Report
    red: tuple[Outcome, ...]


def seen(mistake: Mistake, target: PythonTarget) -> Seen:
    """Return what checks of the broken clauses and checks of other things say of a target."""
    report = run(target, ())
    red: tuple[Outcome, ...] = ()
    for asked in _turns(mistake):
        report = run(target, asked, mistake.options)
        if red := _red(report, mistake):
            break
    return Seen(report, run(target, _controls(mistake, red), mistake.options), red)


def _turns(mistake: Mistake) -> Iterator[list[Check]]:
    """Yield the checks that decide a broken clause, which they name first, the cheap ones first."""
    deciding = [c for c in _checks() if c.clauses and c.clauses[0] in mistake.breaks]
    if mistake.seen_by:
        yield [check for check in deciding if check.id in mistake.seen_by]
        return
    for kinds in TURNS:
        yield [check for check in deciding if check.kind in kinds]


def _red(report: Report, mistake: Mistake) -> tuple[Outcome, ...]:
    """Return the red outcomes of checks that the reference itself passes."""
    readings = tuple(sorted(mistake.readings.items()))
    return tuple(
        outcome
        for outcome in report.outcomes
        if outcome.verdict in _RED and _sound(outcome.check.id, readings)
    )


@cache
def _sound(check_id: str, readings: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether the reference passes a check under readings."""
    asked = [check for check in _checks() if check.id == check_id]
    options = Options(readings=dict(readings), retry=False, hasty=True)
    return run("reference", asked, options).exit_code() == 0


def _controls(mistake: Mistake, red: Iterable[Outcome]) -> list[Check]:
    """Return the accepted twins of red refusals, and the checks of the files of controls."""
    twins = set() if mistake.refuses else {_twin_of(outcome.check) for outcome in red}
    return [
        check
        for check in _checks()
        if check.id in twins or check.id.partition("#")[0] in mistake.controls
    ]


def _twin_of(check: Check) -> str | None:
    """Return the id of the accepted case beside a refused one."""
    if not isinstance(check.run, Play) or check.run.case.twin is None:
        return None
    return replace(check.run.case, id=check.run.case.twin).check_id


@cache
def _checks() -> tuple[Check, ...]:
    """Return the suite without what only asks tables, made once for all mistakes."""
    found = (*suite(rules(), quick=True), *machine_checks(rules()))
    return tuple(check for check in found if check.kind != "vector")
