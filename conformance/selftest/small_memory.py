"""A small honest memory in one file, for the selftests of fixtures: enough for every kind of step.

Before a save it passes the point ``save.before``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HELLO = {
    "name": "small", "version": "1", "language": "python", "protocol": 1, "families": ["lite"],
    "unsupported": [], "readings": {}, "points": ["save.before"],
}  # fmt: skip
GONE = {"what": "这条记忆不存在或已归档", "next": "不要重试"}
NO_MATCH = {"what": "本轮没有匹配的记忆范围", "next": "直接继续任务"}
SHOWN = ("id", "title", "summary", "when")
UNSHOWN = ("createdAt", "lastReadAt")


class SmallMemory:
    """Keeps records by id in ``memory.json`` below the store."""

    def __init__(self) -> None:
        self.pause: Callable[[str, int], None] | None = None
        self.file = Path()
        self.armed: str | None = None
        self.world: dict[str, Any] = {}
        self.hello: dict[str, Any] = HELLO

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "hello":
            return self.hello
        if method == "open":
            return self.open(params)
        if method == "call":
            return self.call(params["op"], params["args"])
        if method == "turn":
            return {"outcome": "empty", "injected": {"text": "", "cards": []}}
        if method == "set":
            self.world |= params
            return {"contextId": "ctx_1"} if "issue_context" in params else {}
        if method == "fault":
            self.armed = params.get("stop_at")
        if method == "inspect":
            return {params["part"]: self.inspected(params["part"])}
        return {}

    def open(self, params: dict[str, Any]) -> dict[str, Any]:
        self.file = Path(params["store"]) / "memory.json"
        self.world = params
        if params.get("keep"):
            return {"ids": {}, "roots": {"store": params["store"]}}
        seeds = params.get("seed", {}).get("records", {})
        ids = {handle: seed.get("id", f"mem_{handle}") for handle, seed in seeds.items()}
        self.write(
            {
                ids[handle]: {
                    **seed,
                    "id": ids[handle],
                    "relations": [{**r, "to": ids[r["to"]]} for r in seed["relations"]],
                }
                for handle, seed in seeds.items()
            }
        )
        return {"ids": ids, "roots": {"store": params["store"]}}

    def call(self, operation: str, args: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = getattr(self, operation)(args)
        return {"result": result, "text": result.get("body", "")}

    def memory_read(self, args: dict[str, Any]) -> dict[str, Any]:
        record = self.records().get(args["id"])
        if record is None or record["status"] == "archived":
            return {"status": "gone", "message": GONE}
        return {"status": "ok", **{key: record[key] for key in ("id", "revision", "body")}}

    def memory_search(self, args: dict[str, Any]) -> dict[str, Any]:
        found = [
            {key: record[key] for key in SHOWN}
            for record in self.records().values()
            if args["query"] in record["title"] and record["status"] != "archived"
        ]
        if found:
            return {"status": "ok", "results": found}
        return {"status": "ok", "reasonCode": "no_match", "results": [], "message": NO_MATCH}

    def memory_save(self, args: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(args.get("body", ""), str):
            return {"changed": False, "id": "", "reason": "invalid_arguments"}
        if self.armed and self.pause is not None:
            self.armed = None
            self.pause("save.before", 1)
        records = self.records()
        record_id = args.get("id") or f"mem_new{len(records)}"
        before = records.get(record_id, {"summary": "", "when": "", "relations": [], "revision": 0})
        owner = {"layer": "project", "ownerProjectId": "p1", "status": "active"}
        records[record_id] = {**owner, **before, **args, "id": record_id}
        records[record_id]["revision"] = before["revision"] + 1
        self.write(records)
        return {"changed": True, "id": record_id, "revision": before["revision"] + 1}

    def memory_forget(self, args: dict[str, Any]) -> dict[str, Any]:
        records = self.records()
        record = records.pop(args["id"], None)
        if record is None:
            return {"changed": False, "reason": "gone", "message": GONE}
        if not args.get("purge"):
            records[args["id"]] = {
                **record,
                "status": "archived",
                "revision": record["revision"] + 1,
            }
        self.write(records)
        return {"changed": True, "revision": record["revision"] + 1}

    def inspected(self, part: str) -> Any:
        if part == "records":
            return [
                {key: value for key, value in record.items() if key not in UNSHOWN}
                for _, record in sorted(self.records().items())
            ]
        return {} if part in ("slots", "generations") else []

    def records(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        return found

    def write(self, records: dict[str, Any]) -> None:
        self.file.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")


def make() -> SmallMemory:
    return SmallMemory()
