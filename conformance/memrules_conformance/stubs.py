"""Three targets with one attitude each: what they score stands beside every percentage.

They take every request, keep what they were seeded with, and decide nothing: one says yes, one
says that nothing is there, one has nothing to say.  A suite that they satisfy asks too little.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memrules_spec import Rules

ENTRIES = ("auto_inject", "memory_search", "memory_read", "memory_save", "panel_routes")
TOOLS = ("memory_search", "memory_read", "memory_save", "memory_forget")
CHANGES = (
    "memory_forget", "panel_remember", "panel_ignore", "panel_archive", "panel_restore",
    "panel_move", "panel_undo", "panel_remove", "panel_pick", "panel_tidy", "panel_repair",
    "panel_switch", "panel_confirm_project", "panel_quarantine", "panel_restore_cold",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attitude:
    """What a stub says, whatever it is asked."""

    name: str
    status: str
    changed: bool
    words: tuple[Any, ...]
    """The outcomes that it prefers when it is asked to decide, the dearest first."""
    found: bool = False
    """Whether a search hands out what was seeded."""
    reason: str = ""


OK = Attitude(
    "always_ok", "ok", changed=True, words=("ok", True, "all", "current_body"), found=True
)
GONE = Attitude("always_gone", "gone", changed=False, words=("gone", False, "none"), reason="gone")
EMPTY = Attitude("always_empty", "ok", changed=False, words=("absent", "none", "empty", False))


def always_ok(rules: Rules) -> Stub:
    """Return the stub that says yes."""
    return Stub(OK, rules)


def always_gone(rules: Rules) -> Stub:
    """Return the stub that says that nothing is there."""
    return Stub(GONE, rules)


def always_empty(rules: Rules) -> Stub:
    """Return the stub that has nothing to say."""
    return Stub(EMPTY, rules)


STUBS = {stub.__name__: stub for stub in (always_ok, always_gone, always_empty)}


@dataclass
class Stub:
    """A target that answers every verb and every operation as its schema says."""

    attitude: Attitude
    rules: Rules
    store: str = ""
    records: dict[str, dict[str, Any]] = field(default_factory=dict)

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of one request."""
        answer = getattr(self, f"_{method}", None)
        return answer(params) if answer is not None else {}

    def _hello(self, _: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": self.attitude.name,
            "version": "1",
            "language": "python",
            "protocol": 1,
            "families": ["lite"],
            "unsupported": [],
            "readings": {},
            "points": [],
        }

    def _open(self, params: dict[str, Any]) -> dict[str, Any]:
        if not params.get("keep"):
            seeds = params.get("seed", {}).get("records", {})
            self.store = params["store"]
            self.records = {
                handle: {"layer": "project", **record, "id": record.get("id", f"mem_{handle}")}
                for handle, record in seeds.items()
            }
        ids = {handle: record["id"] for handle, record in self.records.items()}
        return {"ids": ids, "roots": {"store": self.store}}

    def _turn(self, _: dict[str, Any]) -> dict[str, Any]:
        outcome = {"always_ok": "empty"}.get(self.attitude.name, "none")
        return {"outcome": outcome, "injected": {"text": "", "cards": []}}

    def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = self._operation(params["op"], params["args"])
        traced: dict[str, Any] = {"trace": []} if params.get("trace") else {}
        return {"result": result, "text": "", **traced}

    def _set(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"contextId": "c1"} if "issue_context" in params else {}

    def _inspect(self, params: dict[str, Any]) -> dict[str, Any]:
        part = params["part"]
        if part == "records":
            return {part: self._known()}
        if part == "access":
            return {
                part: [
                    {"id": r["id"], "layer": r["layer"], "lastReadAt": r.get("lastReadAt")}
                    for r in self._sorted()
                ]
            }
        if part == "ledgers":
            injection = {"cards": 0, "bytes": 0}
            return {part: {"reads": 0, "bytes": 0, "bodies": 0, "injection": injection}}
        return {part: {} if part in ("slots", "generations") else []}

    def _decide(self, params: dict[str, Any]) -> dict[str, Any]:
        table = self.rules.tables[params["table"]]
        outcome = {name: self._preferred(values) for name, values in table.outcome.items()}
        return {"decisions": [{"outcome": outcome} for _ in params["inputs"]]}

    def _operation(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """Return the result of an operation."""
        attitude = self.attitude
        if name in CHANGES:
            return self._change()
        if name == "memory_save":
            made = args.get("id") or "mem_new"
            return {**self._change(), "id": made if attitude.changed else ""}
        if name == "memory_search":
            cards = [_card(record) for record in self._sorted()] if attitude.found else []
            return {"status": attitude.status, "results": cards}
        if name in ("memory_read", "panel_show", "panel_open_citation"):
            return self._read(name, args)
        return self._list(name)

    def _read(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """Return the result of an operation on one record that changes nothing."""
        status = self.attitude.status
        if status != "ok":
            return {"status": status}
        if args.get("view") == "links":
            return {"status": status, "id": args["id"] or "mem_", "links": []}
        known = [record for record in self.records.values() if record["id"] == args["id"]]
        body = known[0].get("body", "") if known and self.attitude.found else ""
        if name == "panel_open_citation":
            return {"status": status, "body": body}
        return {"status": status, "id": args["id"] or "mem_", "revision": 1, "body": body}

    def _list(self, name: str) -> dict[str, Any]:
        """Return the result of an operation that lists something."""
        status = self.attitude.status
        if name == "panel_list":
            return {"status": status, "records": []}
        if name == "tools":
            tools = [{"name": n, "description": "", "parameters": {}} for n in TOOLS]
            return {"tools": tools}
        if name == "learning_feedback":
            return {"accepted": self.attitude.changed}
        if name == "learning_organize":
            return {"outcome": "ok" if self.attitude.changed else "none", "receipt": None}
        lists: dict[str, dict[str, Any]] = {
            "entries": {"entries": list(ENTRIES)},
            "panel_citations": {"groups": []},
            "panel_receipts": {"receipts": []},
        }
        return lists[name]

    def _change(self) -> dict[str, Any]:
        """Return what is said of every change."""
        if self.attitude.changed:
            return {"changed": True, "revision": 2}
        return {
            "changed": False,
            **({"reason": self.attitude.reason} if self.attitude.reason else {}),
        }

    def _preferred(self, values: tuple[Any, ...]) -> Any:
        """Return the value of a closed list that suits the attitude best."""
        liked = [word for word in self.attitude.words for value in values if _same(word, value)]
        return liked[0] if liked else values[0]

    def _sorted(self) -> list[dict[str, Any]]:
        return sorted(self.records.values(), key=lambda record: (record["id"], record["layer"]))

    def _known(self) -> list[dict[str, Any]]:
        times = ("createdAt", "lastReadAt")
        return [{k: v for k, v in r.items() if k not in times} for r in self._sorted()]


def _card(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a search hands out of a record."""
    return {
        "id": record["id"],
        **{name: record.get(name, "") for name in ("title", "summary", "when")},
    }


def _same(word: object, value: object) -> bool:
    """Tell whether two values are the same, a truth never being a number."""
    return type(word) is type(value) and word == value
