"""Properties of search and read."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.seeds import BUDGET, record

from .asking import Property
from .gate import READS, SEARCHES
from .worlds import HANDLES, WORDS, call, opened, result, runtimes, stores, texts

QUERIES = st.text(
    st.sampled_from("ab \"'*()[]{}:^~-+/\\|&!?.,;<>=%$#@界记"), min_size=1, max_size=12
)
REASONS = ("no_match", "not_applicable", "applicability_unresolved")
WITHOUT_REASON = ("budget_exhausted", "memory_disabled", "needs_context")


def usable(**fields: Any) -> dict[str, Any]:
    """Return a record that every check lets through."""
    return record(**fields)


class UnknownIdIsGone(Property):
    """A read answers gone for an id that no live record has, and for no other."""

    clauses = ("LM-3.33", "LM-9.3", "LM-1.30")
    area = "read"
    needs = READS

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records, a runtime and ids that nobody issued."""
        letters = "0123456789abcdefABCDEF"
        unknown = st.text(st.sampled_from(letters), min_size=12, max_size=24).map("mem_".__add__)
        return st.tuples(stores(), runtimes, unknown)

    def holds(self, bench: Bench, example: Any) -> None:
        """Read every record of the store and one id of none."""
        store, runtime, unknown = example
        ids, _ = opened(bench, store, runtime=runtime)
        for handle, fields in store.items():
            if fields.get("ownerProjectId") == "p2":
                continue  # its code is the reading foreign-record-code
            status = result(call(bench, "memory_read", id=ids[handle]))["status"]
            gone = fields["status"] == "archived"
            if gone and bench.rules.reading("lite", "archived-read") == "cold_body":
                continue
            if (status == "gone") is not gone:
                raise Mismatch(handle, "gone" if gone else "not gone", status)
        status = result(call(bench, "memory_read", id=unknown))["status"]
        if unknown not in ids.values() and status != "gone":
            raise Mismatch(unknown, "gone", status)


class ReasonsStandOnlyBesideAnEmptyAnswer(Property):
    """A reasonCode never stands beside a status that explains itself, nor beside results."""

    clauses = ("LM-3.22", "LM-3.23", "LM-3.24")
    area = "search"
    needs = SEARCHES | {"set.switches", "set.budget", "set.issue_context"}

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records, a runtime, a budget, a switch and a way to name the context."""
        budget = st.sampled_from([BUDGET, {**BUDGET, "bytes": 0}, {**BUDGET, "bytes": 120}])
        switch = st.sampled_from(["on", "on", "off"])
        context = st.sampled_from([None, "bind", "expired", "foreign"])
        return st.tuples(stores(), runtimes, budget, switch, context)

    def holds(self, bench: Bench, example: Any) -> None:
        """Search once and look at the two fields together."""
        store, runtime, budget, switch, context = example
        switches = {"memory": switch, "recall": "adaptive"}
        opened(bench, store, runtime=runtime, budget=budget, switches=switches)
        args: dict[str, Any] = {}
        if context == "bind":
            args["bindForRequest"] = True
        elif context:
            issued = bench.door.call("set", {"issue_context": {"kind": context, "context": {}}})
            args["contextId"] = issued["contextId"]
        said = result(call(bench, "memory_search", query="word", **args))
        has_reason = "reasonCode" in said
        if said["status"] in WITHOUT_REASON and (has_reason or said["results"]):
            raise Mismatch("search", f"{said['status']} alone", said)
        if has_reason and said["results"]:
            raise Mismatch("search", "results or a reason", said)


class ReasonsAreClosed(Property):
    """A search is empty for one of three reasons or by its status, and for no other."""

    clauses = ("LM-3.21", "LM-1.24")
    area = "search"
    needs = SEARCHES

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw records and a runtime."""
        return st.tuples(stores(), runtimes)

    def holds(self, bench: Bench, example: Any) -> None:
        """Search for a word that some records hold, and for one that none does."""
        store, runtime = example
        opened(bench, store, runtime=runtime)
        for query in ("word", "markatitle", "nowhere"):
            said = result(call(bench, "memory_search", query=query))
            reason = said.get("reasonCode")
            if (reason in REASONS) is bool(said["results"]):
                wanted = "no reason" if said["results"] else " or ".join(REASONS)
                raise Mismatch(f"search {query}", wanted, said)


class AQueryIsNoExpression(Property):
    """Any text may be searched for: it finds what holds its words and never breaks the search."""

    clauses = ("LM-3.29", "LM-3.21")
    area = "search"
    needs = SEARCHES

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw a text of operators, and a word that a record holds."""
        return st.tuples(QUERIES, st.sampled_from(WORDS))

    def holds(self, bench: Bench, example: Any) -> None:
        """Search for the text alone, then for the word between operators."""
        query, word = example
        ids, _ = opened(bench, {"a": usable(title=word)})
        said = result(call(bench, "memory_search", query=query))
        if said["status"] != "ok" or (not said["results"]) is not ("reasonCode" in said):
            raise Mismatch(f"search {query!r}", "ok, with results or a reason", said)
        found = [
            e["id"] for e in result(call(bench, "memory_search", query=f"( {word} ) *"))["results"]
        ]
        if found != [ids["a"]]:
            raise Mismatch(f"search for {word!r}", [ids["a"]], found)


class SearchStaysWithinItsBudget(Property):
    """A search delivers at most its reads, its text at most its bytes, and something if it fits."""

    clauses = ("LM-3.16", "LM-3.15", "LM-3.31")
    area = "search"
    needs = SEARCHES | {"set.budget"}

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw lengths of summaries, reads and bytes."""
        return st.tuples(
            st.lists(st.integers(0, 300), min_size=1, max_size=4),
            st.integers(0, 4),
            st.sampled_from([0, 50, 150, 300, 500, 1000, 5000]),
        )

    def holds(self, bench: Bench, example: Any) -> None:
        """Search with and without limits and compare."""
        lengths, reads, size = example
        records = {
            h: usable(title="word", summary="界" * n)
            for h, n in zip(HANDLES, lengths, strict=False)
        }
        budget = {**BUDGET, "reads": reads, "bytes": size}
        world = {"seed": {"records": records}, "runtime": {}}
        bench.open({**world, "budget": BUDGET})
        whole = {
            (e["title"], e["summary"], e["when"])
            for e in result(call(bench, "memory_search", query="word"))["results"]
        }
        bench.open({**world, "budget": budget})
        reply = call(bench, "memory_search", query="word")
        said = result(reply)
        if len(said["results"]) > reads:
            raise Mismatch("results", f"at most {reads}", len(said["results"]))
        if said["results"] and len(reply["text"].encode()) > size:
            raise Mismatch("text", f"at most {size} bytes", len(reply["text"].encode()))
        if any((e["title"], e["summary"], e["when"]) not in whole for e in said["results"]):
            raise Mismatch("results", "whole entries", said["results"])
        if (said["status"] == "budget_exhausted") is not (not said["results"]):
            raise Mismatch("status", "budget_exhausted exactly when nothing fits", said)


class BodiesComeBackAsStored(Property):
    """A body is returned as it was stored, code point by code point, with its revision."""

    clauses = ("LM-3.37", "LM-0.7")
    area = "read"
    needs = READS | {"set.budget"}

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw texts of every script and a revision."""
        return st.tuples(texts.filter(bool), st.integers(1, 9))

    def holds(self, bench: Bench, example: Any) -> None:
        """Read the body and compare the whole answer."""
        body, revision = example
        ids = bench.open(
            {"seed": {"records": {"a": usable(title="t", body=body, revision=revision)}}}
        )
        said = result(call(bench, "memory_read", id=ids["a"]))
        wanted = {"status": "ok", "id": ids["a"], "revision": revision, "body": body}
        if said != wanted:
            raise Mismatch("read", wanted, said)


class ReadsDeliverNoMoreThanTheirBudget(Property):
    """Exactly the first so many eligible reads of a turn deliver a body."""

    clauses = ("LM-3.36", "LM-3.48", "LM-3.49")
    area = "read"
    needs = READS | {"set.budget"}

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw a budget and an order of live and archived records to read."""
        return st.tuples(st.integers(0, 4), st.lists(st.sampled_from("ab"), max_size=7))

    def holds(self, bench: Bench, example: Any) -> None:
        """Count the bodies delivered: an archived record uses nothing."""
        bodies, order = example
        if bench.rules.reading("lite", "archived-read") == "cold_body":
            order = [handle for handle in order if handle == "a"]
        records = {"a": usable(title="t"), "b": usable(title="t", status="archived")}
        ids = bench.open({"seed": {"records": records}, "budget": {**BUDGET, "bodies": bodies}})
        left = bodies
        for handle in order:
            said = result(call(bench, "memory_read", id=ids[handle]))
            wanted = "gone" if handle == "b" else "ok" if left else "budget_exhausted"
            if said["status"] != wanted:
                raise Mismatch(f"read {handle}", wanted, said, f"{bodies} bodies, order {order}")
            left -= wanted == "ok"


RULES: tuple[Property, ...] = (
    UnknownIdIsGone(),
    ReasonsStandOnlyBesideAnEmptyAnswer(),
    ReasonsAreClosed(),
    AQueryIsNoExpression(),
    SearchStaysWithinItsBudget(),
    BodiesComeBackAsStored(),
    ReadsDeliverNoMoreThanTheirBudget(),
)
