"""A target in thirty lines that answers everything but one call; the scripts beside it do that."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

TRIGGER = "mem_trigger"
HELLO = {
    "name": "polite", "version": "1", "language": "python", "protocol": 1, "families": ["lite"],
    "unsupported": [], "readings": {}, "points": [],
}  # fmt: skip
READ = {"result": {"status": "ok", "id": "mem_a", "revision": 1, "body": "b"}, "text": "b"}


def serve(misbehave: Callable[[dict[str, Any]], None], hello: dict[str, Any] | None = None) -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        method, params = request["method"], request["params"]
        if method == "call" and params["args"].get("id") == TRIGGER:
            misbehave(request)
        elif method == "hello":
            answer(request, {**HELLO, **(hello or {})})
        elif method == "open":
            answer(request, {"ids": {}, "roots": {"store": params["store"]}})
        else:
            answer(request, READ if method == "call" else {})


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    say(line_of(request, result) + b"\n")


def line_of(request: dict[str, Any], result: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()


def say(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
