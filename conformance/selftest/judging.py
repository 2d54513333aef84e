"""What the selftests of doors and judge share: small checks, and processes to look for."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from memrules_conformance import judge
from memrules_conformance.checks import Bench, Check, Mismatch
from memrules_conformance.judge import Options
from memrules_conformance.targets import PythonTarget, Target
from memrules_spec import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memrules_conformance.report import Report

HERE = Path(__file__).parent

MARK = "MEMRULES_SELFTEST"
"""The variable in which a test's processes inherit its mark."""


@cache
def rules() -> Rules:
    """Return the project's rules, loaded once for all tests."""
    return Rules.load()


def run(target: str | Target, checks: Iterable[Check], options: Options | None = None) -> Report:
    """Return the report of a run under the rules that were loaded once."""
    return judge.run(target, checks, replace(options or Options(), rules=rules()))


def command(name: str) -> str:
    """Return the target text of a script of ``misbehaving/``; it wants HERE on PYTHONPATH."""
    return f"stdio:{sys.executable} -m misbehaving.{name}"


def check(name: str, run: Callable[[Bench], None], **fields: Any) -> Check:
    """Return a check of the family lite."""
    given = {"area": "lite/read", "binding": "strict", "level": "quick", "kind": "fixture"}
    return Check(id=f"lite/read/{name}", clauses=("LM-0.7",), run=run, **{**given, **fields})


def reading(record: str, *, body: str = "b") -> Callable[[Bench], None]:
    """Return the run that expects the body of a record."""

    def run(bench: Bench) -> None:
        bench.open({})
        asked = {"op": "memory_read", "args": {"id": record}}
        result = bench.door.call("call", asked)["result"]
        if result["body"] != body:
            raise Mismatch("$.body", body, result["body"])

    return run


THREE = (
    check("before", reading("mem_a")),
    check("trigger", reading("mem_trigger")),
    check("after", reading("mem_a")),
)


def left_behind() -> list[int]:
    """Return the ids of the processes that the doors of this test left behind, by its mark."""
    found = []
    for process in psutil.process_iter():
        try:
            mine = process.environ().get(MARK) == os.environ[MARK] and process.pid != os.getpid()
            if mine and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


HELLO: dict[str, Any] = {
    "name": "plain", "version": "1", "language": "python", "protocol": 1, "families": ["lite"],
    "unsupported": [], "readings": {}, "points": [],
}  # fmt: skip


class Plain:
    """A target in this process that answers plainly, but for what a test changes.

    ``answers`` maps a method to what is done with its params.
    """

    def __init__(
        self,
        hello: dict[str, Any] | None = None,
        **answers: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> None:
        self.hello = {**HELLO, **(hello or {})}
        self.answers = answers
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append((method, params))
        if method in self.answers:
            return self.answers[method](params)
        if method == "hello":
            return self.hello
        if method == "open":
            return {"ids": {}, "roots": {"store": params["store"]}}
        if method == "call":
            return {
                "result": {"status": "ok", "id": "mem_a", "revision": 1, "body": "b"},
                "text": "b",
            }
        return {}


def target(plain: Plain | Callable[[], Plain]) -> PythonTarget:
    """Return a target in this process: one object for every door, or a new one a door."""
    factory = (lambda: plain) if isinstance(plain, Plain) else plain
    return PythonTarget("plain", factory=factory)


def refusing(*names: str) -> dict[str, Any]:
    """Return the part of a hello that refuses capabilities."""
    return {"unsupported": [{"capability": name, "reason": "not here"} for name in names]}
