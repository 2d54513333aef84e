"""The reference on a pipe: JSON-RPC 2.0, one message a line, standard input and output.

``python -m memrules_reference.adapter [--spec DIR]``.  Written as anybody would write it: a loop
of its own, and nothing from the kit.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from pathlib import Path
from typing import IO, Any

from memrules_spec import Rules, SpecError

from .target import RpcError, Target

WHILE_PAUSED = frozenset({"set", "inspect"})


def make_target(rules: Rules | None = None) -> Target:
    """Return the reference as an object with ``handle(method, params)``."""
    return Target(rules or Rules.load())


def _decoded(line: bytes) -> Any:
    """Return the value of a line; raise ValueError for JSON that the protocol does not have."""
    value = json.loads(line.decode(), parse_constant=_refused, object_pairs_hook=_object)
    json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate has no bytes
    return value


def _refused(name: str) -> None:
    raise ValueError(name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError where a key stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


class Loop:
    """Reads requests and writes answers; an operation that stops at a point waits inside it."""

    def __init__(self, target: Target, source: IO[bytes], sink: IO[bytes]) -> None:
        self.target = target
        self.source = source
        self.sink = sink
        target.pause = self._pause

    def run(self) -> None:
        """Serve until the input ends."""
        for line in iter(self.source.readline, b""):
            if line.strip():
                self._serve(line)

    def _pause(self, point: str, n: int) -> None:
        """Say that a point is reached and serve what is allowed there until ``resume``."""
        self._write({"method": "reached", "params": {"point": point, "n": n}})
        for line in iter(self.source.readline, b""):
            if line.strip() and self._serve(line, paused=True):
                return
        raise SystemExit(0)

    def _serve(self, line: bytes, *, paused: bool = False) -> bool:
        """Answer one request; return whether it was the ``resume`` that a pause waits for."""
        try:
            request = _decoded(line)
        except (ValueError, RecursionError):
            self._write({"id": None, "error": {"code": -32700, "message": "this is not JSON"}})
            return False
        known = isinstance(request, dict)
        method = request.get("method") if known else None
        params = request.get("params", {}) if known else None
        number = request.get("id") if known else None
        if not (isinstance(method, str) and isinstance(params, dict) and known and "id" in request):
            error = {"code": -32600, "message": "this is not a request"}
            self._write({"id": number, "error": error})
            return False
        if paused and method == "resume":
            self._write({"id": number, "result": {}})
            return True
        if method == "resume" or (paused and method not in WHILE_PAUSED):
            waits = "an operation waits at a point" if paused else "nothing waits at a point"
            error = {"code": -32600, "message": waits}
            self._write({"id": number, "error": error})
            return False
        self._write({"id": number, **self._answer(method, params)})
        return False

    def _answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result or the error of one request."""
        try:
            return {"result": self.target.handle(method, params)}
        except RpcError as error:
            said = {"code": error.code, "message": str(error), "data": error.data}
            return {"error": said}
        except Exception as error:  # noqa: BLE001 whatever breaks is said as the protocol wants it
            traceback.print_exc()
            data = {"message": f"{type(error).__name__}: {error}"}
            return {"error": {"code": -32003, "message": "the adapter broke", "data": data}}

    def _write(self, message: dict[str, Any]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
        self.sink.write(text.encode() + b"\n")
        self.sink.flush()


def main() -> None:
    """Run the adapter."""
    parser = argparse.ArgumentParser(prog="memrules_reference.adapter", description=__doc__)
    parser.add_argument("--spec", type=Path, help="the folder of the rules to obey")
    arguments = parser.parse_args()
    try:
        rules = Rules.load(arguments.spec)
    except SpecError as error:
        parser.error(str(error))
    Loop(make_target(rules), sys.stdin.buffer, sys.stdout.buffer).run()


if __name__ == "__main__":
    main()
