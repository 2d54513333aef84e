"""What is left at the end: what may have changed without a written ``then``, and what may not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import small_memory
from fixture_cases import read
from judging import refusing, rules, run
from memrules_conformance.checks import Mismatch, Verdict
from memrules_conformance.fixtures import check_of
from memrules_conformance.fixtures.reading import names_for
from memrules_conformance.fixtures.records import judge_unsaid, judge_written
from memrules_conformance.fixtures.steps import Asked
from memrules_conformance.targets import PythonTarget

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = names_for(rules(), "lite", {})


def record(handle: str, **fields: Any) -> dict[str, Any]:
    base = {"id": f"mem_{handle}", "layer": "project", "status": "active", "body": "b"}
    return {**base, "bodyAt": "hot", **fields}


SEEDED = {"a": record("a"), "b": record("b")}


def asked(result: Mapping[str, Any] | None, op: str = "memory_save", **args: Any) -> Asked:
    answer = None if result is None else {"result": result, "text": ""}
    return Asked("steps[0]", "call", {"op": op, "args": args}, answer)


def unsaid(found: list[dict[str, Any]], *calls: Asked, seeded: Any = None) -> None:
    judge_unsaid(seeded or SEEDED, found, calls, NAMES, ())


A, B = SEEDED["a"], SEEDED["b"]
ARCHIVED = {"status": "archived", "revision": 2, "bodyAt": "cold"}
CHANGED = {"changed": True, "id": "mem_a", "revision": 2}
ROOM = {"changed": True, "id": "mem_new", "evictionNote": ["x"]}
EXPERIMENT = {"origin": "project_evolution"}


@pytest.mark.parametrize(
    ("found", "calls"),
    [
        ([A, B], []),
        ([{**A, "topicKey": None}, B], []),
        ([{**A, "previous": {"body": "x"}}, B], []),
        ([{**A, "body": "b2"}, B], [asked(CHANGED)]),
        ([{**A, "body": "b2"}, B], [asked({"changed": True}, "memory_forget", id="mem_a")]),
        ([B], [asked({"changed": True}, "memory_forget", id="mem_a", purge=True)]),
        ([A, B, record("new")], [asked({"changed": True, "id": "mem_new"})]),
        ([{**A, **ARCHIVED}, B, record("new")], [asked(ROOM)]),
        ([A, B, record("r", **EXPERIMENT)], [asked({"outcome": "ok"}, "learning_organize")]),
        ([A, B, record("new")], [asked(None, title="t")]),
        ([{**A, "body": "b2"}, B], [asked(None, id="mem_a")]),
    ],
)
def test_what_a_result_says_may_have_changed(
    found: list[dict[str, Any]], calls: list[Asked]
) -> None:
    unsaid(found, *calls)


@pytest.mark.parametrize(
    ("found", "calls", "where"),
    [
        ([{**A, "body": "b2"}, B], [], "records.a"),
        ([{**A, "body": "b2"}, B], [asked({"changed": False, "id": "mem_a"})], "records.a"),
        ([{**A, "body": "b2"}, B], [asked({**CHANGED, "id": "mem_b"})], "records.a"),
        ([{**A, "layer": "global"}, B], [], "records.a"),
        ([{**A, "extra": 1}, B], [], "records.a"),
        ([B], [], "records.a"),
        ([A, B, A], [], "records"),
        ([A, B, record("new")], [asked(CHANGED)], "records"),
        ([A, B, record("new")], [asked({"changed": False, "id": "mem_new"})], "records"),
        ([{**A, **ARCHIVED}, {**B, **ARCHIVED}, record("new")], [asked(ROOM)], "records.b"),
        ([{**A, **ARCHIVED, "body": "b2"}, B, record("new")], [asked(ROOM)], "records.a"),
        ([A, B, record("r")], [asked({"outcome": "ok"}, "learning_organize")], "records"),
        ([A, B, record("r", **EXPERIMENT)], [asked({"changed": False}, id="")], "records"),
        ([A, B, record("n"), record("m")], [asked(None, title="t")], "records"),
        ([A, {**B, "body": "b2"}], [asked(None, id="mem_a")], "records.b"),
    ],
)
def test_nothing_else_may_have_changed(
    found: list[dict[str, Any]], calls: list[Asked], where: str
) -> None:
    with pytest.raises(Mismatch) as caught:
        unsaid(found, *calls)

    assert caught.value.where == where


def test_one_id_in_two_layers_is_two_records() -> None:
    seeded = {"a": record("x"), "b": record("x", layer="global", body="g")}

    judge_written("$unchanged", seeded, [seeded["b"], seeded["a"]], NAMES, ())
    judge_written({"b": "$gone"}, seeded, [seeded["a"]], NAMES, ())
    with pytest.raises(Mismatch):
        judge_written({"b": "$gone"}, seeded, [seeded["b"]], NAMES, ())


def test_a_moved_record_is_found_in_its_new_layer() -> None:
    moved = {**A, "layer": "global"}

    judge_written({"a": {"layer": "global"}}, SEEDED, [moved, B], NAMES, ())
    with pytest.raises(Mismatch):
        judge_written({"a": {"layer": "global"}}, SEEDED, [A, B], NAMES, ())


def test_a_body_that_cannot_be_shown_is_not_compared() -> None:
    cold = record("a", bodyAt="cold")
    bodiless = {name: value for name, value in cold.items() if name != "body"}

    judge_written("$unchanged", {"a": cold}, [bodiless], NAMES, ())
    judge_written("$unchanged", {"a": cold}, [{**cold, "body": "?"}], NAMES, ("a",))
    for found in ({**cold, "body": "?"}, {**bodiless, "bodyAt": "hot"}):
        with pytest.raises(Mismatch):
            judge_written("$unchanged", {"a": cold}, [found], NAMES, ())


def test_an_archived_body_lies_where_the_target_keeps_it() -> None:
    archived = {"a": {"status": "archived", "revision": 2}}
    hot = {**A, "status": "archived", "revision": 2}
    bodiless = {name: value for name, value in hot.items() if name != "body"}

    for found in (hot, {**hot, "bodyAt": "cold"}, {**bodiless, "bodyAt": "cold"}):
        judge_written(archived, SEEDED, [found, B], NAMES, ())
    for found in ({**hot, "body": "b2"}, bodiless, {**hot, "status": "active"}):
        with pytest.raises(Mismatch):
            judge_written(archived, SEEDED, [found, B], NAMES, ())
    with pytest.raises(Mismatch):
        judge_written(
            {"a": {"body": "b2"}}, SEEDED, [{**A, "body": "b2", "bodyAt": "cold"}, B], NAMES, ()
        )


def test_what_a_record_was_before_is_compared_where_it_is_named() -> None:
    found = [{**A, "previous": {"body": "x"}}, B]

    judge_written({"a": {"previous": {"body": "x"}}}, SEEDED, found, NAMES, ())
    with pytest.raises(Mismatch):
        judge_written({"a": {"previous": {"body": "y"}}}, SEEDED, found, NAMES, ())


def test_a_new_record_is_one_of_its_own() -> None:
    new = [{"body": "n"}, {"body": {"$type": "string"}, "topicKey": {"$absent": True}}]

    judge_written({"$new": new}, SEEDED, [A, B, record("n", body="n"), record("m")], NAMES, ())
    with pytest.raises(Mismatch):
        judge_written({"$new": new}, SEEDED, [A, B, record("n", body="n")], NAMES, ())
    with pytest.raises(Mismatch):
        judge_written({"$new": new[:1]}, SEEDED, [A, B, record("n", body="m")], NAMES, ())


CHANGE = """
format: 1
clauses: [LM-0.10]
cases:
  - id: quiet
    name: a read changes nothing
    given: {records: {a: {}, b: {}}}
    steps:
      - {call: memory_read, args: {id: {$id: a}}}
"""


class Careless(small_memory.SmallMemory):
    """Archives another record whenever it reads one."""

    def memory_read(self, args: dict[str, Any]) -> dict[str, Any]:
        super().memory_forget({"id": "mem_b"})
        return super().memory_read(args)


def test_the_end_is_looked_at_only_where_that_is_possible() -> None:
    (case,), _ = read(CHANGE)
    check = check_of(case)
    blind = Careless()
    blind.hello = {**small_memory.HELLO, **refusing("inspect.records")}

    (seen,) = run(PythonTarget("careless", factory=Careless), [check]).outcomes
    (unseen,) = run(PythonTarget("blind", factory=lambda: blind), [check]).outcomes

    assert seen.verdict is Verdict.FAIL
    assert seen.where == "records.b"
    assert unseen.verdict is Verdict.PASS


def test_a_written_end_is_unsupported_where_it_cannot_be_seen() -> None:
    (case,), _ = read(CHANGE + "    then: {records: $unchanged}\n")
    blind = small_memory.SmallMemory()
    blind.hello = {**small_memory.HELLO, **refusing("inspect.records")}

    (outcome,) = run(PythonTarget("blind", factory=lambda: blind), [check_of(case)]).outcomes

    assert outcome.verdict is Verdict.UNSUPPORTED
