"""Worlds for what memory_search and memory_read answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scenes import Answer, Cannot, Scene
from .seeds import BUDGET, FAILS, HOLDS, NOW, RUNTIME, UNKNOWN_ID, UNREADABLE, conditional, record

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination

SENTENCES = ("scope_unregistered", "related_not_applicable", "related_unconfirmed")
LONG = "x " * 1500
NEEDS = frozenset({"seed.records", "set.switches", "set.issue_context", "set.budget"})


def _context(kind: str) -> tuple[tuple[tuple[str, dict[str, Any]], ...], dict[str, Any]]:
    """Return the requests that issue a context of a kind, and the arguments that use it."""
    if kind == "routed_default":
        return (), {}
    if kind == "bind_without_id":
        return (), {"bindForRequest": True}
    name = "expired" if kind == "bad" else kind.removesuffix("_id")
    before = (("set", {"issue_context": {"kind": name, "context": {}}}),)
    return before, {"contextId": {"$saved": "contextId"}}


class SearchResult:
    """The whole answer of a search: status, reasonCode, results and sentence."""

    table = "lite/search_result"
    name = "memory_search"
    needs = NEEDS | {"lite.memory_search", "set.registry", "set.context"}

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the matches and the budget that the combination speaks of."""
        records = self._matches(combination["matches"])
        if combination["budget"] == "some_fit":
            records = {"a": record(), "b": record(summary=LONG)}
        budget = {
            "all_fit": BUDGET,
            "some_fit": {**BUDGET, "bytes": 2000},
            "none_fit": {**BUDGET, "bytes": 0},
        }[combination["budget"]]
        before, args = _context(combination["context"])
        world: dict[str, Any] = {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "switches": {"memory": combination["switch"], "recall": "adaptive"},
            "runtime": RUNTIME,
            "budget": budget,
            "registry": {"columns": [], "taskKinds": ["known"], "seriesIds": []},
        }
        if combination["scope"] == "call_unregistered":
            args["taskKind"] = "unknown"
        if combination["scope"] == "routed_unregistered":
            world["context"] = {"taskKind": "unknown"}
        return Scene(
            op="memory_search",
            args={"query": "word{n}", **args},
            moment=world,
            records=records,
            before=before,
            alone=combination["budget"] == "some_fit",
        )

    def _matches(self, kind: str) -> dict[str, Any]:
        """Return records that match the query of the scene, by what the gate says of them."""
        fails, unclear, usable = map(conditional, (FAILS, UNREADABLE, HOLDS))
        kinds: dict[str, dict[str, Any]] = {
            "none": {},
            "all_not_applicable": {"a": fails},
            "all_needs_context": {"a": unclear},
            "mixed_blocked": {"a": fails, "b": unclear},
            "some_ok": {"a": usable, "b": fails},
        }
        return kinds[kind]

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare every field with the outcomes that conform."""
        accepted = rules.accepted(self.table, combination)
        said = {
            "status": answer.result.get("status"),
            "reasonCode": answer.result.get("reasonCode", "absent"),
            "sentence": _sentence(rules, answer),
        }
        wanted = said["status"] == "ok" and said["reasonCode"] == "absent"
        found = [entry["id"] for entry in answer.result.get("results", [])]
        if any(dict(outcome) == said for outcome in accepted):
            right = [answer.ids["a"]] if wanted else []
            return None if found == right else (right, found)
        return dict(accepted[0]), {**said, "result": dict(answer.result)}


class ReadResult:
    """The whole answer of a read: status and content."""

    table = "lite/read_result"
    name = "memory_read"
    needs = NEEDS | {"lite.memory_read", "set.project"}
    cold = False

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the record, damage its cold body, use the budget up: as the combination says."""
        if (combination["body_at"] != "hot") is not self.cold:
            return Cannot("bodies in cold storage are asked for by memory_read_cold, others not")
        fields: dict[str, Any] = {}
        prepare: tuple[tuple[str, dict[str, Any]], ...] = ()
        gate = combination["gate"]
        if gate == "gone_archived":
            fields["status"] = "archived"
        if gate in ("not_applicable", "needs_context"):
            broken = FAILS if gate == "not_applicable" else UNREADABLE
            fields |= {"conditions": [broken], "applicability": "conditional"}
        if combination["body_at"] != "hot":
            fields["bodyAt"] = "cold"
        how = {"cold_corrupt": "flip", "cold_missing": "lose"}.get(combination["body_at"])
        if how:
            prepare = (("fault", {"damage": {"cold": {"$handle": "a"}, "how": how}}),)
        before, args = _context(combination["context"])
        unconfirmed = combination["lookup"] != "decidable"
        world = {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "switches": {"memory": combination["switch"], "recall": "adaptive"},
            "project": {"id": "p1", "confirmed": not unconfirmed, "root": "/srv/p1"},
            "runtime": RUNTIME,
            "budget": {**BUDGET, "bodies": 0 if combination["bodies"] == "used_up" else 10**6},
        }
        if combination["id_format"] == "bad":
            if gate != "gone_absent":
                return Cannot("no record has a malformed id")
            args["id"] = "../x"
        elif gate == "gone_absent":
            args["id"] = UNKNOWN_ID
        else:
            args["id"] = {"$id": "a"}
        if gate == "gone_absent" and combination["body_at"] != "hot":
            return Cannot("an absent record has no body to be cold")
        records = {} if gate == "gone_absent" else {"a": record(**fields)}
        return Scene(
            op="memory_read",
            args={**args, "view": combination["view"]},
            moment=world,
            records=records,
            before=before,
            prepare=prepare,
        )

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare status and content with the outcomes that conform."""
        accepted = rules.accepted(self.table, combination)
        content = "absent"
        if "body" in answer.result:
            whole = answer.result["body"].startswith("b") and answer.result.get("revision") == 1
            content = "current_body" if whole else "another body"
        elif "links" in answer.result:
            content = "usable_links"
        said = {"status": answer.result.get("status"), "content": content}
        if any(dict(outcome) == said for outcome in accepted):
            return None
        return dict(accepted[0]), {**said, "result": dict(answer.result)}


class ReadColdResult(ReadResult):
    """The whole answer of a read whose body lies in cold storage."""

    name = "memory_read_cold"
    needs = ReadResult.needs | {"seed.cold", "damage"}
    cold = True


def _sentence(rules: Rules, answer: Answer) -> str:
    """Return which of the fixed sentences the answer's words hold; several are named together."""
    words = answer.text + str(answer.reply["result"].get("message", ""))
    held = [name for name in SENTENCES if rules.phrase("lite", name) in words]
    return " and ".join(held) or "absent"


ENTRIES = (SearchResult(), ReadResult(), ReadColdResult())
