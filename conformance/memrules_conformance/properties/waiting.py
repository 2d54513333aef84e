"""Properties of writers that wait for a lock."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.seeds import NOW, record

from .asking import Property
from .worlds import call

CLEAN_UP = "清理"
"""What a person is told to do with a lock that stays, LM-9.17."""

LONG_ENOUGH = 600_000
"""Milliseconds in which every writer of an example has given up."""


class OnlyALastingLockAsksForACleanUp(Property):
    """A busy answer asks to clean up the lock exactly from the declared number in a row on."""

    clauses = ("LM-9.17", "LM-8.23")
    area = "failures"
    needs = frozenset({"lite.memory_save", "seed.records", "lock", "set.clock"})
    count = 5

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw how many busy answers there are beyond the declared number, before a success."""
        return st.integers(min_value=-1, max_value=2)

    def holds(self, bench: Bench, example: Any) -> None:
        """Save against a held lock that often; succeed; and save against a held lock once more."""
        declared = int(bench.rules.reading("lite", "persistent-busy-count"))
        seed = {"records": {"a": record(layer="project", ownerProjectId="p1")}}
        ids = bench.open({"clock": {"mode": "manual", "now": NOW, "mono": 0}, "seed": seed})
        _hold(bench)
        for number in range(1, declared + int(example) + 1):
            _busy(call(bench, "memory_save", id=ids["a"], body="c"), number, declared)
        bench.door.call("set", {"advance_ms": LONG_ENOUGH})
        reply = call(bench, "memory_save", id=ids["a"], body="done")
        if not reply["result"]["changed"]:
            raise Mismatch("after the release", "changed: true", reply["result"])
        _hold(bench)
        _busy(call(bench, "memory_save", id=ids["a"], body="c"), 1, declared)


class ALastingLockAsksWhoeverForgets(Property):
    """A busy memory_forget asks to clean up exactly from the declared number in a row on."""

    clauses = ("LM-9.17", "LM-8.23")
    area = "failures"
    needs = frozenset({"lite.memory_forget", "seed.records", "lock", "set.clock"})
    count = 5

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw how many busy answers there are beyond the declared number."""
        return st.integers(min_value=-1, max_value=2)

    def holds(self, bench: Bench, example: Any) -> None:
        """Forget a record as often against a held lock."""
        declared = int(bench.rules.reading("lite", "persistent-busy-count"))
        seed = {"records": {"a": record(layer="project", ownerProjectId="p1")}}
        ids = bench.open({"clock": {"mode": "manual", "now": NOW, "mono": 0}, "seed": seed})
        _hold(bench)
        for number in range(1, declared + int(example) + 1):
            _busy(call(bench, "memory_forget", id=ids["a"]), number, declared)


def _hold(bench: Bench) -> None:
    lock = {"scope": "project", "holder": "live", "release_after_ms": LONG_ENOUGH}
    bench.door.call("fault", {"lock": lock})


def _busy(reply: dict[str, Any], number: int, declared: int) -> None:
    """Raise Mismatch unless an answer is busy and asks for a clean-up as the number-th is to."""
    asks = number >= declared
    where = f"busy answer {number} in a row"
    if reply["result"].get("reason") != "busy":
        raise Mismatch(where, "busy", reply["result"])
    said = f"{reply['text']} {reply['result'].get('message', '')}"
    if (CLEAN_UP in said) is not asks:
        raise Mismatch(where, f"{'' if asks else 'no '}{CLEAN_UP} in its text", said)


RULES = (OnlyALastingLockAsksForACleanUp(), ALastingLockAsksWhoeverForgets())
