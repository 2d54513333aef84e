"""Rows asked through ``decide``: every combination of every table, in batches."""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Bench, Check, Mismatch
from memrules_spec.mutants import conforming
from memrules_spec.proofs import Space, regions

from .areas import area_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_spec import Rules, Table

BATCH = 250
"""Combinations asked at once: enough that a call costs little, and few lost where one is wrong."""


def decide_checks(rules: Rules) -> Iterator[Check]:
    """Yield one check a row of each table: ``table:lite/eligibility/E2@decide``."""
    for table in rules.tables.values():
        expected = Expected(table)
        for row in table.rows:
            yield Check(
                id=f"table:{table.id}/{row.id}@decide",
                area=area_of(table.id),
                clauses=row.decision.clauses[:3],
                binding=row.decision.binding,
                level="quick",
                kind="vector",
                run=_Asker(expected, row.id),
                needs=frozenset({"decide"}),
                name=f"row {row.id} of {table.id} is decided",
            )


class _Asker:
    """Asks every combination that a row decides, and compares with what conforms there."""

    def __init__(self, expected: Expected, row: str) -> None:
        self.expected = expected
        self.row = row

    def __call__(self, bench: Bench) -> None:
        name = self.expected.table.id
        for combinations, accepted in self.expected.under(bench.rules).of(self.row):
            while batch := list(itertools.islice(combinations, BATCH)):
                reply = bench.door.call("decide", {"table": name, "inputs": batch})
                self._compare(batch, reply["decisions"], accepted)

    def _compare(
        self, batch: list[dict[str, Any]], decisions: list[Any], accepted: list[dict[str, Any]]
    ) -> None:
        """Raise Mismatch at the first decision that is none of the accepted ones."""
        if len(decisions) != len(batch):
            raise Mismatch("decisions", f"{len(batch)} decisions", f"{len(decisions)}")
        for inputs, decision in zip(batch, decisions, strict=True):
            if not any(_same(decision["outcome"], outcome) for outcome in accepted):
                shown = ", ".join(f"{name}={value}" for name, value in inputs.items())
                expected = accepted[0] if len(accepted) == 1 else {"one of": accepted}
                raise Mismatch("outcome", expected, decision["outcome"], shown)


class Expected:
    """What conforms for each combination of a table, worked out once for all of its rows."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def under(self, rules: Rules) -> Expected:
        """Return what conforms under some rules: this, if they have the very same table."""
        table = rules.tables[self.table.id]
        return self if table is self.table else Expected(table)

    def of(self, row: str) -> Iterator[tuple[Iterator[dict[str, Any]], list[dict[str, Any]]]]:
        """Yield the combinations that a row decides, by the outcomes that conform for them."""
        for part, accepted in self.parts(row):
            yield self._space.combinations(part), accepted

    def parts(self, row: str) -> list[tuple[int, list[dict[str, Any]]]]:
        """Return the same combinations as sets of bits (see proofs.Space)."""
        left = self._regions.get(row, 0)
        parts: list[tuple[int, list[dict[str, Any]]]] = [(left, [])] if left else []
        for outcome, bits in self._conforming:
            split: list[tuple[int, list[dict[str, Any]]]] = []
            for part, accepted in parts:
                if inside := part & bits:
                    split.append((inside, [*accepted, outcome]))
                if outside := part & ~bits:
                    split.append((outside, accepted))
            parts = split
        return parts

    @cached_property
    def _space(self) -> Space:
        return Space(self.table.inputs)

    @cached_property
    def _regions(self) -> dict[str, int]:
        return regions(self.table, self._space)

    @cached_property
    def _conforming(self) -> list[tuple[dict[str, Any], int]]:
        """The combinations for which each outcome conforms."""
        outcomes = {
            tuple(sorted((n, f"{v!r}") for n, v in outcome.items())): dict(outcome)
            for found in self.table.rows
            for outcome in found.outcomes
        }
        return [(outcomes[key], bits) for key, bits in conforming(self.table).items()]


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two outcomes are equal, where true is not 1."""
    return one.keys() == other.keys() and all(
        value == other[name] and type(value) is type(other[name]) for name, value in one.items()
    )
