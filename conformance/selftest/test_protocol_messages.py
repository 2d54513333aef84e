"""A violation of the protocol is charged to the side that made it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memrules_conformance.checks import AdapterBroke, BrokeProtocol, TargetFault, Unsupported
from memrules_conformance.protocol import (
    KitError,
    fault_of,
    message_of,
    request_line,
    result_of,
)
from memrules_spec import data_folder
from memrules_spec.schemas import validate

OPERATIONS = sorted(
    file.name.removesuffix(".schema.json")
    for file in (data_folder() / "schemas" / "operations").glob("*.schema.json")
    if not file.name.startswith("common")
)
METHODS = ["hello", "open", "turn", "call", "set", "fault", "resume", "inspect", "decide", "close"]
CARD = {"id": "mem_a", "title": "t", "summary": "s", "when": ""}


def line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def test_every_verb_has_a_schema_for_what_is_asked_and_what_is_answered() -> None:
    for method in METHODS:
        for part in ("params", "result"):
            validate({}, f"protocol/{method}#/$defs/{part}")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_refuses_a_field_that_it_does_not_have(operation: str) -> None:
    for part in ("request", "result"):
        faults = validate({"surprise": 1}, f"operations/{operation}#/$defs/{part}")

        assert any("surprise" in fault for fault in faults)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_message_may_stand_in_every_result(operation: str) -> None:
    faults = validate(
        {"message": {"what": "w", "next": "n"}}, f"operations/{operation}#/$defs/result"
    )

    assert not any("message" in fault for fault in faults)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("open", {"family": "lite"}),
        ("open", {"family": "lite", "store": "s", "seed": {"records": {"a": {"titel": "t"}}}}),
        ("fault", {"stop_at": "p", "fail_at": "p", "error": "EIO"}),
        ("inspect", {"part": "everything"}),
        ("set", {}),
        ("set", {"now": 2**60}),
        ("call", {"op": "memory_read"}),
        ("turn", {"text": "\ud800"}),
    ],
)
def test_a_wrong_request_is_the_kits_own_fault(method: str, params: dict[str, Any]) -> None:
    with pytest.raises(KitError):
        request_line(1, method, params)


def test_arguments_of_a_model_may_be_malformed() -> None:
    args = {"applicability": "sometimes", "conditions": ["when it rains"], "unknown": None}

    sent = json.loads(request_line(7, "call", {"op": "memory_save", "args": args}))

    assert sent["params"]["args"] == args
    assert sent["id"] == 7


@pytest.mark.parametrize(
    "sent",
    [
        b"[]",
        line(id=1),
        line(id=1, result={}, error={"code": 1, "message": ""}),
        line(id="1", result={}),
        line(id=1, result=[]),
        line(id=1, result={}, extra=1),
        line(id=1, error={"code": -32001, "message": "no"}),
        line(id=1, error={"code": -32001, "message": "no", "data": {"what": "x"}}),
        line(id=1, error={"code": "E", "message": "no"}),
        line(method="reached", params={"point": "p", "n": 0}),
        line(method="reached", params={"message": "m"}),
        line(method="progress", params={}),
        line(method="log", params={"message": "m"}, id=3),
        b'{"id": 1, "result": {}}',
    ],
)
def test_what_is_no_message_is_the_targets_fault(sent: bytes) -> None:
    with pytest.raises(BrokeProtocol):
        message_of(sent)


@pytest.mark.parametrize(
    "sent",
    [
        line(id=1, result={"a": 1}),
        line(id=1, error={"code": -32001, "message": "", "data": {"capability": "trace"}}),
        line(id=None, error={"code": -32700, "message": "no JSON"}),
        line(method="reached", params={"point": "p", "n": 1}),
        line(method="log", params={"message": "m"}),
    ],
)
def test_each_kind_of_message_is_read(sent: bytes) -> None:
    assert message_of(sent) == json.loads(sent)


def asked(op: str) -> dict[str, Any]:
    return {"op": op, "args": {}}


@pytest.mark.parametrize(
    ("method", "params", "result"),
    [
        ("close", {}, {"done": True}),
        ("call", asked("memory_read"), {"result": {"status": "ok"}}),
        ("call", asked("memory_read"), {"result": {"status": "blocked"}, "text": ""}),
        ("call", asked("memory_read"), {"result": {"status": "ok", "revision": True}, "text": ""}),
        ("call", asked("memory_search"), {"result": {"status": "ok"}, "text": ""}),
        ("call", asked("memory_save"), {"result": {"changed": 1, "id": ""}, "text": ""}),
        ("inspect", {"part": "records"}, {"notices": []}),
        ("inspect", {"part": "records"}, {"records": [{"id": "mem_a"}]}),
        (
            "inspect",
            {"part": "records"},
            {"records": [{"id": "a", "layer": "global", "lastReadAt": 1}]},
        ),
        ("decide", {"table": "t", "inputs": [{}, {}]}, {"decisions": [{"outcome": {}}]}),
        ("open", {}, {"ids": {}, "roots": {}}),
    ],
)
def test_a_wrong_result_is_the_targets_fault(
    method: str, params: dict[str, Any], result: dict[str, Any]
) -> None:
    with pytest.raises(BrokeProtocol):
        result_of(method, params, result)


def test_what_the_rules_forbid_and_the_schema_allows_is_left_to_the_checks() -> None:
    wrong = {"result": {"status": "budget_exhausted", "reasonCode": "no_match", "results": [CARD]}}
    answer = {**wrong, "text": ""}

    assert result_of("call", asked("memory_search"), answer) == answer


def test_an_operation_that_does_not_exist_is_the_kits_own_fault() -> None:
    with pytest.raises(KitError, match="memory_links"):
        result_of("call", asked("memory_links"), {"result": {}, "text": ""})


def test_a_newer_protocol_is_refused_by_its_number_whatever_else_it_says() -> None:
    with pytest.raises(BrokeProtocol, match="speaks protocol 2, and this kit speaks 1"):
        result_of("hello", {}, {"protocol": 2, "tongue": "new"})


@pytest.mark.parametrize(
    ("code", "data", "kind", "words"),
    [
        (-32001, {"capability": "trace"}, Unsupported, "trace"),
        (-32002, {"what": "a cold body"}, Unsupported, "cannot build a cold body"),
        (-32003, {"message": "disk gone"}, AdapterBroke, "disk gone"),
        (-32601, {}, BrokeProtocol, "does not know decide"),
        (-32603, {}, AdapterBroke, "answered decide with the error -32603: m"),
        (-32603, {}, AdapterBroke, "-32603"),
    ],
)
def test_an_error_says_that_the_target_could_not_be_asked(
    code: int, data: dict[str, str], kind: type[TargetFault], words: str
) -> None:
    fault = fault_of({"code": code, "message": "m", "data": data}, "decide")

    assert type(fault) is kind
    assert words in str(fault)
