"""A world in which one write happens, looked at before, after, and after a reopening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Mismatch
from memrules_conformance.worlds.seeds import BUDGET, NOW

from .writes import OLD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_conformance.checks import Bench

    from .writes import Write

State = list[dict[str, Any]]


class Stage:
    """One write, set up as often as it is needed."""

    def __init__(self, bench: Bench, write: Write) -> None:
        self.bench = bench
        self.write = write
        self.ids: dict[str, str] = {}
        self.before: State = []

    def set_up(self) -> State:
        """Open a fresh world with all that the write needs, and return the state before it."""
        world: dict[str, Any] = {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "project": {"id": "p1", "confirmed": True, "root": "/srv/p1"},
            "budget": BUDGET,
            "seed": {"records": dict(self.write.records)},
            **self.write.world,
        }
        self.ids = self.bench.open(world)
        for method, params in self.write.before:
            self.bench.door.call(method, self._real(params))
        self.before = self.state()
        return self.before

    def call(self) -> tuple[str, Mapping[str, Any]]:
        """Return the request that makes the write."""
        return "call", {"op": self.write.op, "args": self._real(self.write.args)}

    def state(self) -> State:
        """Return what the store holds, with handles for ids; a new record is ``new``."""
        names = {id_: handle for handle, id_ in self.ids.items()}
        found: State = self.bench.door.call("inspect", {"part": "records"})["records"]
        slots = self.bench.door.call("inspect", {"part": "slots"})["slots"]
        text = json.dumps([*found, {"id": "", "slots": slots}], ensure_ascii=False)
        for id_, handle in names.items():
            text = text.replace(id_, f"<{handle}>")
        for record in found:
            if record["id"] not in names:
                text = text.replace(record["id"], "<new>")
        state: State = sorted(json.loads(text), key=lambda r: (r["id"], r.get("layer", "")))
        return state

    def files_with(self, marker: str) -> list[str]:
        """Return the files under the store that hold a marker, by their names."""
        root = Path(self.bench.store())
        needle = marker.encode()
        return sorted(
            str(file.relative_to(root))
            for file in root.rglob("*")
            if file.is_file() and not file.is_symlink() and needle in file.read_bytes()
        )

    def judge_reopened(self, before: State, after: State, where: str) -> None:
        """Raise Mismatch unless the store is wholly old or wholly new, and can be written."""
        now = self.state()
        if now not in (before, after):
            wanted = {"exactly the old": before, "or exactly the new": after}
            raise Mismatch(where, wanted, now)
        purged = self.write.purges and now == after != self.before
        if purged and (left := self.files_with(OLD)):
            raise Mismatch(where, "no file that holds the purged body", left)
        self.judge_next_write(where)

    def judge_next_write(self, where: str) -> None:
        """Raise Mismatch unless a new record can be saved and read."""
        args = {
            "title": "next",
            "body": "next body",
            "resolution": "distinct",
            "applicability": "all_in_scope",
        }
        saved = self.bench.door.call("call", {"op": "memory_save", "args": args})["result"]
        if saved.get("changed") is not True:
            raise Mismatch(f"{where}: the next write", {"changed": True}, saved)
        read = self.bench.door.call("call", {"op": "memory_read", "args": {"id": saved["id"]}})[
            "result"
        ]
        if read.get("body") != "next body":
            raise Mismatch(f"{where}: the next read", "next body", read)

    def _real(self, value: Any) -> Any:
        """Return params with the ids of handles in place."""
        if isinstance(value, dict):
            if "$id" in value:
                return self.ids[value["$id"]]
            return {key: self._real(inner) for key, inner in value.items()}
        return value
