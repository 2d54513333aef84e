"""Does the suite bite?  Every mutant of the tables against the fixtures and properties it touches.

The implementation under test decides through the rules that it is given, so a mutant is one more
Rules value.  What a check asks is recorded once; a mutant is then tried only by the checks that
ask one of the combinations for which it is wrong, until two of them, in different files, are red.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memrules_spec import Table
from memrules_spec.mutants import Mutant, table_mutants
from memrules_spec.proofs import Space

from .checks import Verdict
from .judge import Options, Session
from .targets import target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memrules_spec import Decision, Rules

    from .checks import Check

WANTED = 2


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


def mutate(
    target: str,
    checks: Sequence[Check],
    rules: Rules,
    progress: Callable[[Killed], None] | None = None,
    only: Callable[[Mutant], bool] | None = None,
) -> Matrix:
    """Return the kill matrix of a target that decides through the rules it is given."""
    asked: dict[tuple[tuple[str, str], ...], dict[str, dict[str, int]]] = {}
    killed: list[Killed] = []
    equivalent: list[str] = []
    for mutant in table_mutants(rules):
        if isinstance(mutant, str):
            equivalent.append(mutant)
            continue
        if only is not None and not only(mutant):
            continue
        readings = tuple(sorted(mutant.readings.items()))
        if readings not in asked:
            asked[readings] = record(target, checks, rules.with_readings(mutant.readings))
        touching = [
            c for c in checks if asked[readings].get(c.id, {}).get(mutant.table, 0) & mutant.wrong
        ]
        killed.append(Killed(mutant.id, mutant.kind, tuple(_red(target, touching, mutant.rules))))
        if progress is not None:
            progress(killed[-1])
    return Matrix(tuple(killed), tuple(equivalent))


def record(target: str, checks: Iterable[Check], rules: Rules) -> dict[str, dict[str, int]]:
    """Return for each check, by table, the combinations that it makes the target ask (bits)."""
    recording = {
        id_: Recording(**_fields(table), space=Space(table.inputs))
        for id_, table in rules.tables.items()
    }
    found: dict[str, dict[str, int]] = {}
    recorded = replace(rules, tables=MappingProxyType(recording))
    with Session(target_of(target), Options(rules=recorded, retry=False)) as session:
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


def _red(target: str, checks: Sequence[Check], rules: Rules) -> Iterator[str]:
    """Yield checks that a mutant turns red, until there are enough in different files."""
    files: set[str] = set()
    if not checks:
        return
    with Session(target_of(target), Options(rules=rules, retry=False)) as session:
        inside, _ = session.split(checks)
        for check in inside:
            if file_of(check.id) in files:
                continue
            if session.judge(check).verdict in (Verdict.FAIL, Verdict.ERROR):
                files.add(file_of(check.id))
                yield check.id
                if len(files) == WANTED:
                    return


def _fields(table: Table) -> dict[str, Any]:
    """Return the fields of a table, with a memory of its own."""
    return {name: getattr(table, name) for name in Table.__dataclass_fields__ if name != "_known"}
