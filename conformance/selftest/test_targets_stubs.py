"""The stubs answer everything as the schemas demand, each with one attitude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from judging import check, reading, run
from memrules_conformance.checks import Bench, Verdict
from memrules_conformance.report import Score
from memrules_conformance.stub_scores import stub_scores
from memrules_conformance.stubs import STUBS
from memrules_spec import data_folder

if TYPE_CHECKING:
    from memrules_conformance.checks import Door

ARGUMENTS: dict[str, dict[str, Any]] = {
    "memory_search": {"query": "t"},
    "panel_list": {"view": "active"},
    "panel_move": {"id": "mem_a", "to": "global"},
    "panel_undo": {"id": "mem_a", "revision": 1},
    "panel_remove": {"id": "mem_a", "confirm": True},
    "panel_pick": {"topicKey": "k", "id": "mem_a"},
    "panel_switch": {"memory": "off"},
}
OPERATIONS = sorted(
    file.name.removesuffix(".schema.json")
    for file in (data_folder() / "schemas" / "operations").glob("*.schema.json")
    if not file.name.startswith("common")
)
PARTS = ["records", "access", "ledgers", "notices", "citations", "receipts", "slots",
         "generations", "io"]  # fmt: skip
WORLD = {"seed": {"records": {"a": {"title": "t", "body": "b", "lastReadAt": 1}}}}


def ask_everything(door: Door) -> None:
    for operation in OPERATIONS:
        args = ARGUMENTS.get(operation, {"id": "mem_a"})
        door.call("call", {"op": operation, "args": args, "trace": True})
    door.call("call", {"op": "memory_read", "args": {"id": "mem_a", "view": "links"}})
    door.call("turn", {"text": "hello"})
    door.call("set", {"issue_context": {"kind": "valid"}})
    door.call("fault", {"fail_at": "p", "error": "EIO"})
    for part in PARTS:
        door.call("inspect", {"part": part})


@pytest.mark.parametrize("name", STUBS)
def test_a_stub_answers_every_verb_and_every_operation(name: str) -> None:
    def everything(bench: Bench) -> None:
        assert bench.open(WORLD) == {"a": "mem_a"}
        ask_everything(bench.door)
        for table in bench.rules.tables.values():
            inputs = next(iter(table.combinations()))
            bench.door.call("decide", {"table": table.id, "inputs": [inputs]})

    outcome = run(f"python:memrules_conformance.stubs:{name}", [check("all", everything)])

    assert [(o.verdict, o.message) for o in outcome.outcomes] == [(Verdict.PASS, "")]


def test_the_operations_are_found() -> None:
    assert {"memory_read", "panel_undo", "learning_organize", "tools"} <= set(OPERATIONS)


def test_the_scores_of_the_stubs_are_told_by_name() -> None:
    checks = [check("empty", reading("mem_a", body="")), check("body", reading("mem_a"))]

    scores = stub_scores(checks)

    assert set(scores) == {"always_ok", "always_gone", "always_empty"}
    assert scores["always_ok"].full == Score(1, 2)
