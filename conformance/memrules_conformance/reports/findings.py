"""What a run found and everything that is said about it, whatever the form of the report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Verdict
from memrules_conformance.fixtures import Play

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memrules_conformance.checks import Check, Outcome
    from memrules_conformance.replay import Replay
    from memrules_conformance.report import Report, Totals
    from memrules_spec import Rules
    from memrules_spec.checking import TableReport

VERDICTS = tuple(Verdict)
BAD = (Verdict.FAIL, Verdict.ERROR, Verdict.HARNESS_ERROR)


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved of all tables together."""

    tables: int
    combinations: int
    rows: int
    gaps: int
    dead: int

    @classmethod
    def of(cls, tables: Iterable[TableReport]) -> Proof:
        """Return the sums over tables."""
        found = list(tables)
        return cls(
            tables=len(found),
            combinations=sum(table.combinations for table in found),
            rows=sum(table.rows for table in found),
            gaps=sum(table.gaps for table in found),
            dead=sum(len(table.dead) for table in found),
        )

    def __str__(self) -> str:
        return (
            f"{self.tables} tables, {self.combinations:,} combinations, {self.rows} rows, "
            f"{self.gaps} gaps, {self.dead} dead rows"
        )


@dataclass(frozen=True)
class Findings:
    """A run; ``rules`` are those under the readings that the target declared."""

    kit: str
    report: Report
    rules: Rules
    replay: Replay
    suite_digest: str
    proof: Proof
    stubs: Mapping[str, Totals] = field(default_factory=dict)
    required: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """Return 0 if the target conforms, 1 if not, 3 if that could not be found out."""
        return self.report.exit_code(self.required)

    def bad(self) -> list[Outcome]:
        """Return the outcomes that are told in full, in the order of the checks."""
        unmet = set(map(id, self.report.unmet(self.required)))
        return [o for o in self.report.outcomes if o.verdict in BAD or id(o) in unmet]

    def totals_of(self, area: str) -> Totals:
        """Return both scores of one area."""
        mine = tuple(o for o in self.report.outcomes if o.check.area == area)
        return replace(self.report, outcomes=mine).totals()

    def readings(self) -> dict[str, dict[str, str | int]]:
        """Return by family the readings that differ from the defaults."""
        return {
            family: changed
            for family, chosen in self.rules.chosen.items()
            if (
                changed := {
                    key: value
                    for key, value in chosen.items()
                    if value != self.rules.readings[family][key].default
                }
            )
        }


def statement(rules: Rules, clause: str) -> str:
    """Return what a clause says, or nothing if the rules have no such clause."""
    known = rules.clauses.get(clause)
    return known.statement if known else ""


def deciding_rows(rules: Rules, check: Check) -> list[str]:
    """Return the rows that a check names, or else those that its first clause decides."""
    if check.kind == "vector":
        return [check.id.removeprefix("table:").partition("@")[0]]
    if isinstance(check.run, Play) and check.run.case.rows:
        return [f"{check.run.case.family}/{row}" for row in check.run.case.rows]
    return [
        f"{table.id}/{row.id}"
        for table in rules.tables.values()
        for row in table.rows
        if row.decision.clauses[0] in check.clauses[:1]
    ]


def row_words(rules: Rules, name: str) -> str:
    """Return a row of a table (``lite/eligibility/E2``) as one line."""
    table_name, _, row_name = name.rpartition("/")
    table = rules.tables.get(table_name)
    row = next((r for r in table.rows if r.id == row_name), None) if table else None
    if row is None:
        return name
    when = " and ".join(f"{n} is {_either(values)}" for n, values in row.when.items())
    then = ", ".join(f"{n} {v}" for n, v in row.decision.outcome.items())
    return f"{name}: {f'when {when}, ' if when else 'otherwise '}{then}"


def _either(values: Iterable[Any]) -> str:
    return " or ".join(sorted(map(str, values)))
