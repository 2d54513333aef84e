"""A small durable target with one point, for the selftests of hosting, stops and kills."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HELLO = {
    "name": "stopping", "version": "1", "language": "python", "protocol": 1, "families": ["lite"],
    "unsupported": [], "readings": {}, "points": ["save.before"],
}  # fmt: skip


class Stopping:
    """Keeps one body in a file; a save passes ``save.before`` and then writes it."""

    def __init__(self) -> None:
        self.pause: Callable[[str, int], None] | None = None
        self.file = Path()
        self.armed = ""

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "hello":
            return HELLO
        if method == "open":
            self.file = Path(params["store"]) / "body"
            self.armed = ""
            return {"ids": {}, "roots": {"store": params["store"]}}
        if method == "fault":
            self.armed = params["stop_at"]
        if method == "inspect":
            return {"slots": {"body": self.body()}}
        return self.call(params) if method == "call" else {}

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        if params["op"] == "memory_save":
            if self.armed == "save.before" and self.pause is not None:
                self.pause("save.before", 1)
            self.file.write_text(params["args"]["body"], encoding="utf-8")
            result: dict[str, Any] = {"changed": True, "id": "mem_a", "revision": 1}
        else:
            result = {"status": "ok", "id": "mem_a", "revision": 1, "body": self.body()}
        return {"result": result, "text": ""}

    def body(self) -> str:
        return self.file.read_text(encoding="utf-8") if self.file.is_file() else "nothing"


def make() -> Stopping:
    return Stopping()
