"""Histories of several real processes on the same records, judged for linearizability."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from memrules_conformance.checks import Check, Mismatch
from memrules_conformance.worlds.seeds import record

from .linear import Operation, stuck
from .races import NEEDS, REAL, others, patient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench

PROCESSES = 4
STEPS = 60
RECORDS = ("a", "b", "c")
GONE = "(gone)"
PURGES = 0.02


def history_checks() -> Iterator[Check]:
    """Yield the check of reads, updates and purges that race."""
    yield Check(
        id="durability:lite/race/history",
        area="durability",
        clauses=("LM-4.60", "LM-4.57", "LM-8.13"),
        binding="strict",
        level="long",
        kind="durability",
        run=_histories,
        needs=NEEDS | {"seed.records", "lite.memory_forget"},
        name="reads, updates and purges of several processes each happen at one moment",
    )


def _histories(bench: Bench) -> str:
    """Let processes read, update and purge; raise Mismatch if no order explains the answers."""
    seeded = {name: record(title=name, body=f"{name} 0") for name in RECORDS}
    ids = bench.open({**REAL, "seed": {"records": seeded}})
    doors = [bench.door, *others(bench, PROCESSES - 1)]

    def act(number: int) -> list[tuple[str, Operation]]:
        chance = random.Random(f"{bench.seed} {number}")  # noqa: S311 no secret
        found = []
        for place in range(STEPS):
            name = chance.choice(RECORDS)
            op = chance.choices(("purge", "read", "update"), (PURGES, 0.5, 0.5))[0]
            value = f"{name} {number}.{place}" if op == "update" else ""
            args = {"id": ids[name]}
            began = time.monotonic()
            if op == "read":
                result, _ = patient(doors[number], "memory_read", **args)
            elif op == "update":
                result, _ = patient(doors[number], "memory_save", **args, body=value)
            else:
                result, _ = patient(doors[number], "memory_forget", **args, purge=True)
            found.append((name, Operation(number, op, value, result, began, time.monotonic())))
        return found

    with ThreadPoolExecutor(PROCESSES) as pool:
        done = [entry for found in pool.map(act, range(PROCESSES)) for entry in found]
    for name in RECORDS:
        history = [operation for its, operation in done if its == name]
        if left := stuck(history, f"{name} 0", after):
            raise Mismatch(
                f"the history of {name}",
                f"an order of its {len(history)} operations that explains every answer",
                [str(op) for op in sorted(left, key=lambda op: op.began)],
            )
    return f"{len(done)} operations of {PROCESSES} processes on {len(RECORDS)} records"


def after(body: str, operation: Operation) -> str | None:
    """Return the body after an operation, GONE for none; None if its result does not fit."""
    result = operation.result
    if operation.op == "read":
        return body if result.get("body", GONE) == body else None
    if result.get("changed") is not (body != GONE):
        return None
    if operation.op == "purge":
        return GONE
    return body if body == GONE else operation.value
