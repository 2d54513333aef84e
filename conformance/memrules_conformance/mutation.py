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
from .report import family_of

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
    yield from _killed(_Work(target, ordered, rules), mutants, workers)


def mutants_of(rules: Rules) -> Iterator[Mutant | str]:
    """Yield every mutant: of the tables, the limits, the readings and the machine of learning."""
    yield from table_mutants(rules)
    yield from limit_mutants(rules)
    yield from reading_mutants(rules)
    yield from cell_mutants(rules, LEARNING)


@dataclass(frozen=True, slots=True)
class _Group:
    """Checks that hold under the same readings, and for each what it makes a target ask there."""

    rules: Rules
    checks: Sequence[Check]
    asked: Asked

    def touching(self, mutant: Mutant) -> list[Check]:
        """Return the checks that ask one of the combinations for which a mutant is wrong."""
        if mutant.kind == "cell":
            return [check for check in self.checks if check.area == "learning"]
        if mutant.kind == "reading":
            return list(self.checks)
        asked = self.asked
        return [c for c in self.checks if asked.get(c.id, {}).get(mutant.table, 0) & mutant.wrong]

    def under(self, mutant: Mutant) -> Rules | None:
        """Return the mutant's rules under the readings of the group; None if it has none there.

        A table under readings that bear on it is another table, with mutants of its own.
        """
        if mutant.kind == "reading":
            return self.rules
        if self.rules.chosen == mutant.rules.chosen:
            return mutant.rules
        mutated = mutant.rules.tables[mutant.table]
        family = mutant.table.partition("/")[0]
        here, there = self.rules.chosen[family], mutant.rules.chosen[family]
        if any(here[key] != there[key] for key in mutated.readings):
            return None
        tables = MappingProxyType({**self.rules.tables, mutant.table: mutated})
        return replace(self.rules, tables=tables)


class _Work:
    """What every process needs to try a mutant."""

    def __init__(self, target: Target, checks: Sequence[Check], rules: Rules) -> None:
        self.target = target
        groups: dict[tuple[tuple[str, str], ...], list[Check]] = {(): []}
        for check in checks:
            chosen = rules.chosen[family_of(check)]
            pins = {key: v for key, v in check.readings.items() if v != chosen[key]}
            groups.setdefault(tuple(sorted(pins.items())), []).append(check)
        self.groups = [
            _Group(variant, its, record(target, its, variant))
            for pins, its in groups.items()
            for variant in [rules.with_readings(dict(pins))]
        ]

    def kill(self, mutant: Mutant) -> Killed:
        """Return the checks that a mutant turns red, until they stand in enough files."""
        by: list[str] = []
        of_a_table = mutant.kind not in ("cell", "limit", "reading")
        for group in self.groups if of_a_table else self.groups[:1]:
            rules = group.under(mutant)
            if rules is not None and (checks := group.touching(mutant)):
                by += self._red(mutant, rules, checks, {file_of(check) for check in by})
            if len({file_of(check) for check in by}) >= WANTED:
                break
        return Killed(mutant.id, mutant.kind, tuple(by))

    def _red(
        self, mutant: Mutant, rules: Rules, checks: Iterable[Check], files: set[str]
    ) -> Iterator[str]:
        """Yield checks that go red, one a file, until there are enough files."""
        target, options = self.target, Options(rules=rules, retry=False, hasty=True)
        if mutant.kind == "reading":
            target = Undeclared(target, mutant.rules)
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
