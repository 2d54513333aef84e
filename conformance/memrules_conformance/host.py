"""The program that serves a Python target on a pipe: ``python -m memrules_conformance.host NAME``.

NAME is ``MODULE:FACTORY``; ``--spec DIR`` gives rules from another folder.  What the target prints
goes to stderr; what it raises beyond the protocol ends the process, as it would anywhere.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import IO, Any

from memrules_spec import Rules

from . import factories
from .strict_json import NotStrictJsonError, decode, encode

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
WHILE_WAITING = ("set", "inspect")


class Host:
    """A target between two streams, which can be made to wait at a point."""

    def __init__(self, target: Any, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._target = target
        self._requests = requests
        self._answers = answers
        if hasattr(target, "pause"):
            target.pause = self.pause

    def serve(self) -> None:
        """Answer requests until they end."""
        while (request := self._next()) is not None:
            self._answer(request)

    def pause(self, point: str, n: int) -> None:
        """Say that a point is reached, and serve ``set`` and ``inspect`` until ``resume``."""
        self._say({"method": "reached", "params": {"point": point, "n": n}})
        while (request := self._next()) is not None:
            if request["method"] == "resume":
                self._say({"id": request["id"], "result": {}})
                return
            if request["method"] in WHILE_WAITING:
                self._answer(request)
            else:
                self._refuse(request["id"], INVALID_REQUEST, f"an operation waits at {point}")
        os._exit(0)  # nobody can resume it: the operation ends here, as in a crash

    def _next(self) -> dict[str, Any] | None:
        """Return the next request; refuse what is none."""
        while line := self._requests.readline():
            try:
                request = decode(line)
            except NotStrictJsonError as error:
                self._refuse(None, PARSE_ERROR, str(error))
                continue
            if isinstance(request, dict) and {"id", "method", "params"} <= request.keys():
                return request
            self._refuse(None, INVALID_REQUEST, "a request has jsonrpc, id, method and params")
        return None

    def _answer(self, request: dict[str, Any]) -> None:
        """Let the target answer one request."""
        try:
            result = self._target.handle(request["method"], request["params"])
        except Exception as error:
            said = factories.error_of(error)
            if said is None:
                raise
            self._say({"id": request["id"], "error": said})
        else:
            self._say({"id": request["id"], "result": result})

    def _refuse(self, number: int | None, code: int, text: str) -> None:
        self._say({"id": number, "error": {"code": code, "message": text}})

    def _say(self, message: dict[str, Any]) -> None:
        self._answers.write(encode({"jsonrpc": "2.0", **message}))
        self._answers.flush()


def main(arguments: list[str] | None = None) -> None:
    """Serve the target that the arguments name until stdin ends."""
    parser = argparse.ArgumentParser(prog="memrules_conformance.host", description=__doc__)
    parser.add_argument("name", metavar="MODULE:FACTORY")
    parser.add_argument("--spec", type=Path, metavar="DIR", help="the folder of the rules")
    chosen = parser.parse_args(arguments)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    factory = factories.find(chosen.name)
    rules = Rules.load(chosen.spec) if factories.takes_rules(factory) else None
    Host(factories.make(factory, rules), sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main()
