"""Does the suite bite?  Every mutant of the tables against the fixtures and properties it touches.

The implementation under test decides through the rules that it is given, so a mutant is one more
Rules value.  What a check asks is recorded once; a mutant is then tried only by the checks that
ask one of the combinations for which it is wrong, until two of them, in different files, are red.
"""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memrules_spec import Table
from memrules_spec.mutants import (
    Mutant,
    cell_mutants,
    limit_mutants,
    reading_mutants,
    table_mutants,
)
from memrules_spec.proofs import Space

from .checks import Verdict
from .judge import Options, Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memrules_spec import Decision, Rules

    from .checks import Check
    from .targets import Asking, OpenDoor, Target

    Asked = dict[str, dict[str, int]]

WANTED = 2
LEARNING = "lite/learning"


@dataclass(frozen=True)
class Recording(Table):
    """A table that remembers the combinations that it was asked for."""

    asked: set[int] = field(default_factory=set, compare=False)
    space: Any = None

    def decide(self, inputs: Mapping[str, Any]) -> Decision:
        """Return the decision, and remember the combination as the place of its bit."""
        combination = self.combination(inputs)
        self.asked.add(self.space.place(combination))
        return super().decide(combination)


@dataclass(frozen=True, slots=True)
class Killed:
    """What became of one mutant: the checks that went red, by their ids."""

    mutant: str
    kind: str
    by: tuple[str, ...]

    @property
    def margin(self) -> int:
        """In how many different files the checks stand that went red."""
        return len({file_of(check) for check in self.by})


@dataclass(frozen=True, slots=True)
class Matrix:
    """What became of all mutants."""

    killed: tuple[Killed, ...]
    equivalent: tuple[str, ...]

    @property
    def survived(self) -> tuple[str, ...]:
        """The mutants that no check noticed."""
        return tuple(kill.mutant for kill in self.killed if not kill.by)

    @property
    def margin(self) -> int:
        """The smallest number of different files that notice a mutant."""
        return min((kill.margin for kill in self.killed), default=0)


def file_of(check: str) -> str:
    """Return the file that a check stands in: a fixture's file, or the property itself."""
    return check.partition("#")[0]


def kills(
    target: Target,
    checks: Sequence[Check],
    rules: Rules,
    mutants: Sequence[Mutant],
    workers: int = 1,
) -> Iterator[Killed]:
    """Yield what becomes of each mutant of a target that decides through the rules it is given.

    ``workers`` processes share the mutants; fixtures are tried before properties.
    """
    ordered = sorted(checks, key=lambda check: (check.kind != "fixture", check.kind))
    work = _Work(target, ordered, rules)
    work.asked[()] = record(target, ordered, rules)
    yield from _killed(work, mutants, workers)


def mutants_of(rules: Rules) -> Iterator[Mutant | str]:
    """Yield every mutant: of the tables, the limits, the readings and the machine of learning."""
    yield from table_mutants(rules)
    yield from limit_mutants(rules)
    yield from reading_mutants(rules)
    yield from cell_mutants(rules, LEARNING)


class _Work:
    """What every process needs to try a mutant."""

    def __init__(self, target: Target, checks: Sequence[Check], rules: Rules) -> None:
        self.target = target
        self.checks = checks
        self.rules = rules
        self.asked: dict[tuple[tuple[str, str], ...], Asked] = {}

    def kill(self, mutant: Mutant) -> Killed:
        """Return the checks that a mutant turns red, until they stand in enough files."""
        return Killed(mutant.id, mutant.kind, tuple(self._red(mutant)))

    def _touching(self, mutant: Mutant) -> list[Check]:
        """Return the checks that ask one of the combinations for which a mutant is wrong."""
        if mutant.kind == "reading":
            return list(self.checks)
        if mutant.kind == "cell":
            return [check for check in self.checks if check.area == "learning"]
        readings = tuple(sorted(mutant.readings.items()))
        checks = self.checks
        if readings:
            own = set(readings)
            checks = [check for check in checks if own & set(check.readings.items())]
        if readings not in self.asked:
            variant = self.rules.with_readings(mutant.readings)
            self.asked[readings] = record(self.target, checks, variant)
        bits = self.asked[readings]
        return [c for c in checks if bits.get(c.id, {}).get(mutant.table, 0) & mutant.wrong]

    def _red(self, mutant: Mutant) -> Iterator[str]:
        checks = self._touching(mutant)
        if not checks:
            return
        files: set[str] = set()
        target, options = self.target, Options(rules=mutant.rules, retry=False, hasty=True)
        if mutant.kind == "reading":
            target, options = Undeclared(target, mutant.rules), replace(options, rules=self.rules)
        with Session(target, options) as session:
            inside, _ = session.split(checks)
            for check in inside:
                if file_of(check.id) in files:
                    continue
                if session.judge(check).verdict in (Verdict.FAIL, Verdict.ERROR):
                    files.add(file_of(check.id))
                    yield check.id
                    if len(files) == WANTED:
                        return


@dataclass(frozen=True)
class Undeclared:
    """A target that takes other rules than it is asked to, and does not say so."""

    target: Target
    rules: Rules

    @property
    def text(self) -> str:
        """What to type for the target."""
        return self.target.text

    def open(self, asking: Asking, *, hosted: bool) -> OpenDoor:
        """Return a door whose hello declares nothing."""
        door = self.target.open(replace(asking, rules=self.rules), hosted=hosted)
        hello = {**door.hello, "readings": {}}
        vars(door)["hello"] = hello
        return door


def _killed(work: _Work, mutants: Sequence[Mutant], workers: int) -> Iterator[Killed]:
    """Yield what becomes of each mutant, tried in this process or shared by several."""
    if workers <= 1:
        yield from map(work.kill, mutants)
        return
    _SHARED.update(work=work, mutants=mutants)  # rules cannot be sent, and a fork need not
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap(_kill, range(len(mutants)), chunksize=4)
    _SHARED.clear()


_SHARED: dict[str, Any] = {}


def _kill(place: int) -> Killed:
    """Try a mutant of the process that forked this one."""
    killed: Killed = _SHARED["work"].kill(_SHARED["mutants"][place])
    return killed


def record(target: Target, checks: Iterable[Check], rules: Rules) -> Asked:
    """Return for each check, by table, the combinations that it makes the target ask (bits)."""
    recording = {
        id_: Recording(**_fields(table), space=Space(table.inputs))
        for id_, table in rules.tables.items()
    }
    found: Asked = {}
    recorded = replace(rules, tables=MappingProxyType(recording))
    with Session(target, Options(rules=recorded, retry=False, hasty=True)) as session:
        inside, _ = session.split(checks)
        for check in inside:
            for table in recording.values():
                table.asked.clear()
            session.judge(check)
            found[check.id] = {
                id_: sum(1 << place for place in table.asked)
                for id_, table in recording.items()
                if table.asked
            }
    return found


def _fields(table: Table) -> dict[str, Any]:
    """Return the fields of a table, with a memory of its own."""
    return {name: getattr(table, name) for name in Table.__dataclass_fields__ if name != "_known"}
