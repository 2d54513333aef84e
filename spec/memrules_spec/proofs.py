"""Exact proofs about a table: every combination is a bit of one big integer.

A row is the set of the combinations that it matches, so what no row matches is a gap and a row
that adds nothing is dead; both come with a combination that shows it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .tables import Table, Value


@dataclass(frozen=True, slots=True)
class Proof:
    """What holds of a table under one choice of readings."""

    table: str
    combinations: int
    decided_by: Mapping[str, int]
    gap: Mapping[str, Value] | None = None
    gaps: int = 0
    dead: tuple[str, ...] = ()
    given: Mapping[str, frozenset[Value]] = field(default_factory=dict)


class Space:
    """The combinations of a table as bits: the first input varies slowest."""

    def __init__(self, inputs: Mapping[str, tuple[Value, ...]]) -> None:
        self.inputs = inputs
        self.size = math.prod(map(len, inputs.values()))
        self.full = (1 << self.size) - 1
        self._strides: dict[str, int] = {}
        self._masks: dict[tuple[str, Value], int] = {}
        stride = self.size
        for name, domain in inputs.items():
            stride //= len(domain)
            self._strides[name] = stride
            period = stride * len(domain)
            repeated = self._repeat(period)
            for place, value in enumerate(domain):
                block = ((1 << stride) - 1) << (place * stride)
                self._masks[name, value] = block * repeated

    def _repeat(self, period: int) -> int:
        """Return the integer with a bit at every multiple of a period."""
        return self.full // ((1 << period) - 1)

    def matching(self, when: Mapping[str, frozenset[Value]]) -> int:
        """Return the combinations that a condition matches."""
        found = self.full
        for name, values in when.items():
            either = 0
            for value in values:
                either |= self._masks[name, value]
            found &= either
        return found

    def combination(self, bit: int) -> dict[str, Value]:
        """Return the combination that a bit's place stands for."""
        return {
            name: domain[bit // self._strides[name] % len(domain)]
            for name, domain in self.inputs.items()
        }

    def combinations(self, bits: int) -> Iterator[dict[str, Value]]:
        """Yield the combinations of a set, from its first."""
        text = bin(bits)[:1:-1]
        place = text.find("1")
        while place >= 0:
            yield self.combination(place)
            place = text.find("1", place + 1)

    def place(self, combination: Mapping[str, Value]) -> int:
        """Return the place of the bit that stands for a combination."""
        return sum(
            self.inputs[name].index(value) * self._strides[name]
            for name, value in combination.items()
        )

    def witness(self, bits: int) -> dict[str, Value]:
        """Return the first combination of a set that is not empty."""
        return self.combination((bits & -bits).bit_length() - 1)


def possible(table: Table, space: Space) -> int:
    """Return the combinations that can arise."""
    bits = space.full
    for gone in table.never:
        bits &= ~space.matching(gone)
    return bits


def regions(table: Table, space: Space) -> dict[str, int]:
    """Return for each row the combinations that it decides."""
    left = possible(table, space)
    found: dict[str, int] = {}
    for row in table.rows:
        found[row.id] = left & space.matching(row.when)
        left &= ~found[row.id]
    return found


def prove(table: Table) -> Proof:
    """Return the proof of a table: gaps and dead rows with witnesses, and what it can give."""
    space = Space(table.inputs)
    all_possible = possible(table, space)
    decided = regions(table, space)
    gap = all_possible
    for bits in decided.values():
        gap &= ~bits
    given: dict[str, set[Value]] = {name: set() for name in table.outcome}
    for row in table.rows:
        # A row that is overtaken everywhere can still decide where its place is free.
        if decided[row.id] or row.any_order_with:
            for outcome in row.outcomes:
                for name, value in outcome.items():
                    given[name].add(value)
    return Proof(
        table=table.id,
        combinations=all_possible.bit_count(),
        decided_by={row: bits.bit_count() for row, bits in decided.items()},
        gap=space.witness(gap) if gap else None,
        gaps=gap.bit_count(),
        dead=tuple(row for row, bits in decided.items() if not bits),
        given={name: frozenset(values) for name, values in given.items()},
    )
