"""Properties of the gate and of conditions, seen through every entry point that reads."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.seeds import record

from .asking import Property
from .worlds import HANDLES, call, conditions, opened, result, runtimes, stores

GATE_STATUSES = {"ok", "gone", "not_applicable", "needs_context"}
READS = frozenset({"lite.memory_read", "seed.records", "set.runtime"})
SEARCHES = frozenset({"lite.memory_search", "seed.records", "set.runtime"})


class OneGateForAllEntries(Property):
    """A record is found by search exactly when it can be read, and listed exactly when it can."""

    clauses = ("LM-0.15", "LM-0.13", "LM-1.22")
    area = "entries"
    needs = READS | SEARCHES | {"seed.relations"}

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records and a runtime."""
        return st.tuples(stores(), runtimes)

    def holds(self, bench: Bench, example: Any) -> None:
        """Ask all three ways for each record of the store."""
        store, runtime = example
        relations = [{"to": handle, "type": "related"} for handle in store]
        source = record(title="source", relations=relations)
        ids, _ = opened(bench, {**store, "from": source}, runtime=runtime)
        listed = {
            x["to"]
            for x in result(call(bench, "memory_read", id=ids["from"], view="links")).get(
                "links", []
            )
        }
        for handle in store:
            readable = result(call(bench, "memory_read", id=ids[handle]))["status"] == "ok"
            found = result(call(bench, "memory_search", query=f"mark{handle}title"))
            among = ids[handle] in {entry["id"] for entry in found["results"]}
            if not readable == among == (ids[handle] in listed):
                said = {"read": readable, "search": among, "links": ids[handle] in listed}
                raise Mismatch(
                    handle, "one answer for all entries", said, json.dumps(store[handle])
                )


class ConditionsDoNotDependOnOrder(Property):
    """The order of a record's conditions never changes what the gate says."""

    clauses = ("LM-5.17", "LM-1.20")
    binding = "reading"
    area = "conditions"
    needs = READS

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw conditions, a permutation of them and a runtime."""
        return conditions.flatmap(lambda c: st.tuples(st.just(c), st.permutations(c), runtimes))

    def holds(self, bench: Bench, example: Any) -> None:
        """Read the record with its conditions in both orders."""
        given, permuted, runtime = example
        applicability = "conditional" if given else "all_in_scope"
        one, other = (
            record(title="t", conditions=order, applicability=applicability)
            for order in (given, permuted)
        )
        ids, _ = opened(bench, {"a": one, "b": other}, runtime=runtime)
        first, second = (
            result(call(bench, "memory_read", id=ids[handle]))["status"] for handle in "ab"
        )
        if first != second:
            raise Mismatch("status", first, second, f"{given} as {permuted} under {runtime}")


class UnreadableIsNeverOk(Property):
    """A record is usable exactly when every condition can be read and holds."""

    clauses = ("LM-5.7", "LM-1.19", "LM-1.18")
    area = "conditions"
    needs = READS

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw conditions and a runtime whose values may be of any type."""
        return st.tuples(conditions, runtimes)

    def holds(self, bench: Bench, example: Any) -> None:
        """Compare a read with the plain meaning of the conditions."""
        given, runtime = example
        usable = all(
            isinstance(runtime.get(c["key"]), str)
            and runtime[c["key"]] in (c["value"] if isinstance(c["value"], list) else [c["value"]])
            for c in given
        )
        applicability = "conditional" if given else "all_in_scope"
        subject = record(title="t", conditions=given, applicability=applicability)
        ids, _ = opened(bench, {"a": subject}, runtime=runtime)
        status = result(call(bench, "memory_read", id=ids["a"]))["status"]
        if (status == "ok") is not usable:
            raise Mismatch("status", "ok" if usable else "not ok", status, f"{given} in {runtime}")


class StatusesAreClosed(Property):
    """What the gate refuses is answered by one of three codes and by nothing else."""

    clauses = ("LM-1.29", "LM-1.28", "LM-9.1")
    area = "gate"
    needs = READS

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records and a runtime."""
        return st.tuples(stores(), runtimes)

    def holds(self, bench: Bench, example: Any) -> None:
        """Read every record; a refusal is a status alone."""
        store, runtime = example
        ids, _ = opened(bench, store, runtime=runtime)
        for handle in store:
            said = result(call(bench, "memory_read", id=ids[handle]))
            if said["status"] not in GATE_STATUSES:
                raise Mismatch("status", sorted(GATE_STATUSES), said["status"])
            if said["status"] != "ok" and set(said) != {"status"}:
                raise Mismatch(handle, {"status": said["status"]}, said)


class AnswersAreRepeatable(Property):
    """The same question gets the same answer, however often and in whatever order it is asked."""

    clauses = ("LM-0.14",)
    area = "entries"
    needs = READS | SEARCHES

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records, a runtime and an order of questions."""
        return st.tuples(
            stores(), runtimes, st.lists(st.sampled_from(HANDLES), min_size=2, max_size=8)
        )

    def holds(self, bench: Bench, example: Any) -> None:
        """Ask in the drawn order and compare equal questions."""
        store, runtime, order = example
        ids, _ = opened(bench, store, runtime=runtime)
        seen: dict[str, Any] = {}
        for handle in (h for h in order if h in store):
            said = (
                result(call(bench, "memory_read", id=ids[handle])),
                result(call(bench, "memory_search", query=f"mark{handle}title")),
            )
            if seen.setdefault(handle, said) != said:
                raise Mismatch(handle, seen[handle], said)


class NothingOfABlockedRecordLeaks(Property):
    """No part of a record that the gate refuses stands anywhere in any answer."""

    clauses = ("LM-1.23", "LM-3.14", "LM-3.30")
    area = "search"
    needs = READS | SEARCHES

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records and a runtime."""
        return st.tuples(stores(), runtimes)

    def holds(self, bench: Bench, example: Any) -> None:
        """Search for a word that all records share and look for the markers of those refused."""
        store, runtime = example
        ids, own = opened(bench, store, runtime=runtime)
        usable = {h for h in own if result(call(bench, "memory_read", id=ids[h]))["status"] == "ok"}
        for query in ("word", *(f"mark{handle}title" for handle in own)):
            reply = call(bench, "memory_search", query=query)
            said = json.dumps(reply, ensure_ascii=False)
            for handle in set(own) - usable:
                if f"mark{handle}" in said or ids[handle] in said:
                    raise Mismatch(f"search {query}", f"nothing of {handle}", reply["result"])


RULES: tuple[Property, ...] = (
    OneGateForAllEntries(),
    ConditionsDoNotDependOnOrder(),
    UnreadableIsNeverOk(),
    StatusesAreClosed(),
    AnswersAreRepeatable(),
    NothingOfABlockedRecordLeaks(),
)
