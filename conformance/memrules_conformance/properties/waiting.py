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


NEEDS = frozenset({"seed.records", "lock", "set.clock"})


class _ALastingLock(Property):
    """A busy answer asks to clean up the lock exactly from the declared number in a row on."""

    clauses = ("LM-9.17", "LM-8.23")
    area = "failures"
    count = 5

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw how many busy answers there are beyond the declared number."""
        return st.integers(min_value=-1, max_value=2)

    def meet(self, bench: Bench, example: Any, op: str, **args: Any) -> str:
        """Ask that often against a held lock; return the id of the record that is asked about."""
        declared = int(bench.rules.reading("lite", "persistent-busy-count"))
        seed = {"records": {"a": record(layer="project", ownerProjectId="p1")}}
        ids = bench.open({"clock": {"mode": "manual", "now": NOW, "mono": 0}, "seed": seed})
        _hold(bench)
        for number in range(1, declared + int(example) + 1):
            _busy(call(bench, op, id=ids["a"], **args), number, asks=number >= declared)
        return ids["a"]


class OnlyALastingLockAsksForACleanUp(_ALastingLock):
    """A busy answer asks to clean up the lock exactly from the declared number in a row on."""

    needs = NEEDS | {"lite.memory_save"}

    def holds(self, bench: Bench, example: Any) -> None:
        """Save against a held lock that often; succeed; and save against a held lock once more."""
        id_ = self.meet(bench, example, "memory_save", body="c")
        bench.door.call("set", {"advance_ms": LONG_ENOUGH})
        reply = call(bench, "memory_save", id=id_, body="done")
        if not reply["result"]["changed"]:
            raise Mismatch("after the release", "changed: true", reply["result"])
        _hold(bench)
        declared = int(bench.rules.reading("lite", "persistent-busy-count"))
        _busy(call(bench, "memory_save", id=id_, body="c"), 1, asks=declared == 1)


class ALastingLockAsksWhoeverForgets(_ALastingLock):
    """A busy memory_forget asks to clean up exactly from the declared number in a row on."""

    needs = NEEDS | {"lite.memory_forget"}

    def holds(self, bench: Bench, example: Any) -> None:
        """Forget a record as often against a held lock."""
        self.meet(bench, example, "memory_forget")


def _hold(bench: Bench) -> None:
    lock = {"scope": "project", "holder": "live", "release_after_ms": LONG_ENOUGH}
    bench.door.call("fault", {"lock": lock})


def _busy(reply: dict[str, Any], number: int, *, asks: bool) -> None:
    """Raise Mismatch unless an answer is busy and asks for a clean-up as it is to."""
    where = f"busy answer {number} in a row"
    if reply["result"].get("reason") != "busy":
        raise Mismatch(where, "busy", reply["result"])
    said = f"{reply['text']} {reply['result'].get('message', '')}"
    if (CLEAN_UP in said) is not asks:
        raise Mismatch(where, f"{'' if asks else 'no '}{CLEAN_UP} in its text", said)


RULES = (OnlyALastingLockAsksForACleanUp(), ALastingLockAsksWhoeverForgets())
