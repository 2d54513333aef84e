"""The first dozen things that an adapter learns, each with what to do where it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .checks import Check, Mismatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from .checks import Bench

UNKNOWN = "mem_never_issued"
WORD = "orchard"
RECORD: dict[str, Any] = {
    "layer": "project", "ownerProjectId": "p1", "title": WORD, "summary": "s", "when": "",
    "body": "b", "status": "active", "origin": "user", "reviewState": "reviewed", "kind": "note",
    "conditions": [], "applicability": "all_in_scope", "revision": 1, "relations": [],
    "bodyAt": "hot", "createdAt": 1_700_000_000_000,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to try, and what to do where it does not work."""

    check: Check
    advice: str


def _call(bench: Bench, op: str, **args: Any) -> dict[str, Any]:
    """Return the result of an operation."""
    result: dict[str, Any] = bench.door.call("call", {"op": op, "args": args})["result"]
    return result


def _expect(where: str, expected: object, actual: object) -> None:
    """Raise Mismatch for anything but the expected."""
    if expected != actual:
        raise Mismatch(where, expected, actual)


def _open(bench: Bench) -> None:
    bench.open({})


def _turn(bench: Bench) -> None:
    bench.open({})
    bench.door.call("turn", {"text": "hello"})


def _unknown(bench: Bench) -> None:
    bench.open({})
    _expect("$.status", "gone", _call(bench, "memory_read", id=UNKNOWN)["status"])


def _search_nothing(bench: Bench) -> None:
    bench.open({})
    _expect("$.results", [], _call(bench, "memory_search", query=WORD)["results"])


def _read(bench: Bench) -> None:
    ids = bench.open({"seed": {"records": {"a": RECORD}}})
    result = _call(bench, "memory_read", id=ids["a"])
    _expect("$.status", "ok", result["status"])
    _expect("$.body", "b", result["body"])


def _search(bench: Bench) -> None:
    ids = bench.open({"seed": {"records": {"a": RECORD}}})
    result = _call(bench, "memory_search", query=WORD)
    _expect("$.results[*].id", [ids["a"]], [entry["id"] for entry in result["results"]])


def _links(bench: Bench) -> None:
    ids = bench.open({"seed": {"records": {"a": RECORD}}})
    _expect("$.links", [], _call(bench, "memory_read", id=ids["a"], view="links").get("links"))


def _archived(bench: Bench) -> None:
    ids = bench.open({"seed": {"records": {"a": {**RECORD, "status": "archived"}}}})
    _expect("$.results", [], _call(bench, "memory_search", query=WORD)["results"])
    _expect("$.status", "gone", _call(bench, "memory_read", id=ids["a"])["status"])


def _save(bench: Bench) -> None:
    bench.open({})
    saved = _call(bench, "memory_save", title=WORD, summary="s", when="", body="b")
    _expect("$.changed", expected=True, actual=saved["changed"])
    _expect("$.body", "b", _call(bench, "memory_read", id=saved["id"])["body"])


def _off(bench: Bench) -> None:
    bench.open({"switches": {"memory": "off", "recall": "adaptive"}})
    _expect("$.status", "memory_disabled", _call(bench, "memory_search", query=WORD)["status"])


def _inspect(bench: Bench) -> None:
    bench.open({"seed": {"records": {"a": RECORD}}})
    records = bench.door.call("inspect", {"part": "records"})["records"]
    _expect("inspect records: titles", [WORD], [record["title"] for record in records])


def _decide(bench: Bench) -> None:
    table, combination = next(
        (table, next(table.combinations())) for table in bench.rules.tables.values()
    )
    reply = bench.door.call("decide", {"table": table.id, "inputs": [combination]})
    accepted = [dict(outcome) for outcome in table.accepted(combination)]
    outcome = reply["decisions"][0]["outcome"]
    if outcome not in accepted:
        raise Mismatch(f"decide {table.id}", accepted[0], outcome)


def _step(name: str, sentence: str, run: Callable[[Bench], None], needs: str, advice: str) -> Step:
    """Return a step; ``needs`` are capabilities with a blank between them.

    It names no clause: it tells an author where to go on, and is no verdict on a rule.
    """
    check = Check(
        id=f"lite/smoke/{name}",
        area="smoke",
        clauses=(),
        binding="strict",
        level="quick",
        kind="fixture",
        run=run,
        needs=frozenset(needs.split()),
        name=sentence,
    )
    return Step(check, advice)


_READ, _SEARCH, _SEED = "lite.memory_read", "lite.memory_search", "seed.records"
STEPS = (
    _step("open", "an empty world opens and closes", _open, "",
          "answer open with {ids: {}, roots: {}} and close with {}"),
    _step("turn", "a turn begins", _turn, "",
          "answer turn with {outcome: none, injected: {text: '', cards: []}} until you inject"),
    _step("unknown", "an unknown id is gone", _unknown, _READ,
          "let call memory_read answer {result: {status: gone}, text}"),
    _step("nothing", "a search in an empty store finds nothing", _search_nothing, _SEARCH,
          "let call memory_search answer {status, results: []}"),
    _step("read", "a seeded record is read", _read, f"{_READ} {_SEED}",
          "store open's seed.records and give each handle's id back in ids"),
    _step("search", "a seeded record is found", _search, f"{_SEARCH} {_SEED}",
          "let memory_search look into titles, summaries and bodies of seeded records"),
    _step("links", "a record without relations has no links", _links, f"{_READ} {_SEED}",
          "let memory_read with view links answer {status: ok, id, links: []}"),
    _step("archived", "an archived record is neither found nor read", _archived,
          f"{_READ} {_SEARCH} {_SEED}", "ask the gate before every answer"),
    _step("off", "a search is refused while memory is off", _off, f"{_SEARCH} set.switches",
          "take open's switches and answer memory_disabled while memory is off"),
    _step("save", "a saved record is read", _save, f"{_READ} lite.memory_save",
          "let memory_save answer {changed: true, id, revision: 1}"),
    _step("inspect", "records can be looked at", _inspect, f"inspect.records {_SEED}",
          "answer inspect records with every record, or name inspect.records in unsupported"),
    _step("decide", "a table is decided", _decide, "decide",
          "answer decide from your own rules, or name decide in unsupported"),
)  # fmt: skip
"""In the order in which an adapter grows."""
