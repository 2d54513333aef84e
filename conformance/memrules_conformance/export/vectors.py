"""The rows of a table as an exported set has them: boxes of inputs, and the outcomes accepted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from memrules_conformance.worlds.decide import Expected

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memrules_spec import Table
    from memrules_spec.tables import Value

    Box = dict[str, list[Value]]

MOST_CLAUSES = 3
"""A check names at most so many."""


def exported(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table, each with every combination that it decides.

    A vector's ``inputs`` name several values each: it stands for all of their combinations, and
    no combination stands in two vectors of a table.
    """
    expected = Expected(table)
    rows = []
    for row in table.rows:
        vectors = [
            {"inputs": box, "accepted": accepted}
            for bits, accepted in expected.parts(row.id)
            for box in boxes(table.inputs, bits)
        ]
        if vectors:
            head = {"id": f"table:{table.id}/{row.id}@decide", "binding": row.decision.binding}
            clauses = [*row.decision.clauses[:MOST_CLAUSES]]
            rows.append({**head, "clauses": clauses, "vectors": vectors})
    return rows


def boxes(inputs: Mapping[str, tuple[Value, ...]], bits: int) -> Iterator[Box]:
    """Yield disjoint boxes that hold exactly the combinations of a set (see proofs.Space)."""
    if not bits:
        return
    if not inputs:
        yield {}
        return
    (name, domain), *rest = inputs.items()
    below = dict(rest)
    stride = math.prod(map(len, below.values()))
    alike: dict[int, list[Value]] = {}
    for place, value in enumerate(domain):
        part = bits >> (place * stride) & ((1 << stride) - 1)
        alike.setdefault(part, []).append(value)
    for part, values in alike.items():
        yield from ({name: values, **box} for box in boxes(below, part))
