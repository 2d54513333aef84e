"""Worlds for the conditions and the gate, as memory_read and memory_search show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scenes import Answer, Cannot, Scene
from .seeds import BUDGET, FAILS, HOLDS, NOW, RUNTIME, UNKNOWN_ID, UNREADABLE, conditional, record

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination

READ_NEEDS = frozenset({"lite.memory_read", "seed.records", "set.runtime"})
GONE_AS = {"gone": "gone_absent"}  # a record that a reading calls gone is as good as absent


class ConditionRead:
    """One condition against the context, seen as the status of a read."""

    table = "lite/condition"
    name = "memory_read"
    needs = READ_NEEDS

    def build(self, combination: Combination) -> Scene | Cannot:
        """Put the condition into a record and its actual value into the runtime."""
        key = "targetOs" if combination["key"] == "registered" else "weather"
        value: Any = "linux" if combination["wanted"] == "well_formed" else 5
        values: dict[str, dict[str, Any]] = {
            "readable_match": {"targetOs": "linux", "weather": "linux"},
            "readable_mismatch": {"targetOs": "windows", "weather": "windows"},
            "not_there": {},
            "unreadable": {"targetOs": 5, "weather": 5},
        }
        actual = values[combination["actual"]]
        if key == "weather":
            actual.pop("weather", None)
        return Scene(
            op="memory_read",
            args={"id": {"$id": "a"}},
            moment={"runtime": actual, "budget": BUDGET},
            records={"a": conditional({"key": key, "value": value})},
        )

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the status of the read with the outcomes of the condition."""
        accepted = {str(o["status"]) for o in rules.accepted(self.table, combination)}
        return _status(accepted, answer)


class StatusRead:
    """All conditions of a record and its applicability, seen as the status of a read."""

    table = "lite/status_of"
    name = "memory_read"
    needs = READ_NEEDS

    def build(self, combination: Combination) -> Scene | Cannot:
        """Put applicability, when and conditions into a record."""
        conditions = {
            "all_ok": [HOLDS],
            "mismatch_only": [HOLDS, FAILS],
            "unreadable_only": [HOLDS, UNREADABLE],
            "mismatch_and_unreadable": [UNREADABLE, FAILS],
        }[combination["conditions"]]
        applicability = {"missing": None, "unknown_value": "sometimes"}.get(
            combination["applicability"], combination["applicability"]
        )
        return Scene(
            op="memory_read",
            args={"id": {"$id": "a"}},
            moment={"runtime": RUNTIME, "budget": BUDGET},
            records={
                "a": record(
                    applicability=applicability,
                    when="" if combination["when_text"] == "empty" else "at night",
                    conditions=[] if combination["count"] == "zero" else conditions,
                )
            },
        )

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the status of the read with the outcomes of the table."""
        accepted = {str(o["status"]) for o in rules.accepted(self.table, combination)}
        return _status(accepted, answer)


def gated(combination: Combination) -> dict[str, Any] | Cannot:
    """Return the record that brings the inputs of the gate about, or why none can."""
    fields: dict[str, Any] = {}
    if combination["presence"] == "archived":
        fields["status"] = "archived"
    if combination["owner"] == "match":
        fields |= {"layer": "project", "ownerProjectId": "p1"}
    elif combination["owner"] == "mismatch":
        fields["ownerProjectId"] = "p2"
    elif combination["owner"] == "unverifiable":
        fields["ownerProjectId"] = "p1"
    if combination["origin"] == "project_evolution":
        fields |= {"origin": "project_evolution", "learning": _learning(combination)}
    elif combination["learning"] != "active" or combination["hold"] != "none":
        return Cannot("an ordinary record that carries learning fields is a fixture of its own")
    if combination["review"] == "legacy_unreviewed":
        fields["reviewState"] = "legacy_unreviewed"
    conditions = {"ok": [], "not_applicable": [FAILS], "needs_context": [UNREADABLE]}
    fields["conditions"] = conditions[combination["status_of"]]
    if fields["conditions"]:
        fields["applicability"] = "conditional"
    return record(**fields)


def _learning(combination: Combination) -> dict[str, Any]:
    """Return the learning fields for the inputs ``learning`` and ``hold``."""
    state, until = {
        "active": ("active", None),
        "trial_unexpired": ("trial", NOW + 1),
        "trial_expired": ("trial", NOW - 1),
        "pending": ("pending", None),
        "paused": ("paused", None),
        "unreadable": ("perhaps", None),
    }[combination["learning"]]
    learning: dict[str, Any] = {"state": state, "support": 0}
    if until is not None:
        learning["trialUntil"] = until
    if combination["hold"] == "paused_flag":
        learning["paused"] = True
    if combination["hold"] == "blocked_reason":
        learning["blockedReason"] = "r"
    return learning


def moment(combination: Combination) -> dict[str, Any]:
    """Return the world around the record: project, runtime, clock."""
    experimental = {"off": False, "not_off": True}[combination["source"]]
    return {
        "clock": {"mode": "manual", "now": NOW, "mono": 0},
        "project": {"id": "p1", "confirmed": combination["confirmed"] == "yes", "root": "/srv/p1"},
        "runtime": {**RUNTIME, "experimental": experimental},
        "budget": BUDGET,
    }


class GateRead:
    """The gate, seen as the status of a body read."""

    table = "lite/eligibility"
    name = "memory_read"
    needs = READ_NEEDS | {"set.project", "set.clock"}
    purposes = ("read",)
    view = "body"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the record in a visible layer and read it by its id."""
        if combination["purpose"] not in self.purposes:
            return Cannot("the purpose is not that of a read")
        if combination["presence"] == "absent":
            if combination["confirmed"] == "no":
                return Cannot("an absent id cannot be established while the project is unconfirmed")
            return Scene("memory_read", {"id": UNKNOWN_ID, "view": self.view}, moment(combination))
        found = gated(combination)
        if isinstance(found, Cannot):
            return found
        args = {"id": {"$id": "a"}, "view": self.view}
        return Scene("memory_read", args, moment(combination), {"a": found})

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare with what memory_read makes of the gate's outcomes."""
        gate = {"absent": "gone_absent", "archived": "gone_archived"}.get(combination["presence"])
        accepted: set[str] = set()
        for outcome in rules.accepted(self.table, combination):
            accepted |= {
                str(o["status"])
                for o in rules.accepted(
                    "lite/read_result",
                    {
                        "switch": "on",
                        "context": "routed_default",
                        "id_format": "ok",
                        "lookup": "decidable",
                        "gate": gate or GONE_AS.get(str(outcome["status"]), str(outcome["status"])),
                        "view": self.view,
                        "bodies": "left",
                        "body_at": "hot",
                    },
                )
            }
        return _status(accepted, answer)


class GateLinks(GateRead):
    """The gate on the source of the links view."""

    name = "memory_read_links"
    view = "links"


class GateLinkTarget(GateRead):
    """The gate on the target of a relation: listed exactly if it is usable."""

    name = "memory_read_link_target"
    needs = GateRead.needs | {"seed.relations"}

    def build(self, combination: Combination) -> Scene | Cannot:
        """Let a usable record point to the record of the combination."""
        if combination["purpose"] not in self.purposes:
            return Cannot("the purpose is not that of a read")
        if combination["presence"] == "absent":
            return Cannot("a relation to an id that was never issued cannot be seeded")
        found = gated(combination)
        if isinstance(found, Cannot):
            return found
        source = record(title="source", relations=[{"to": "a", "type": "related"}])
        args = {"id": {"$id": "from"}, "view": "links"}
        return Scene("memory_read", args, moment(combination), {"a": found, "from": source})

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the listed targets with those that the gate lets through."""
        usable = {str(o["status"]) for o in rules.accepted(self.table, combination)}
        listed = [link["to"] for link in answer.result.get("links", [])]
        allowed = [[answer.ids["a"]]] if "ok" in usable else []
        if usable != {"ok"}:
            allowed.append([])
        if listed in allowed and answer.result.get("status") == "ok":
            return None
        return {"links to": allowed[0]}, dict(answer.result)


class GateSearch:
    """The gate, seen as presence among the results of a search."""

    table = "lite/eligibility"
    name = "memory_search"
    needs = frozenset({"lite.memory_search", "seed.records", "set.runtime"})
    purposes = ("search",)

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the record with a word of its own and search for that word."""
        if combination["purpose"] not in self.purposes:
            return Cannot("the purpose is not search")
        if combination["presence"] == "absent":
            return Cannot("a record that does not exist is found by no search")
        found = gated(combination)
        if isinstance(found, Cannot):
            return found
        return Scene("memory_search", {"query": "word{n}"}, moment(combination), {"a": found})

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the ids found with the gate's outcomes; nothing of a blocked record leaks."""
        statuses = {str(o["status"]) for o in rules.accepted(self.table, combination)}
        ids = [found["id"] for found in answer.result.get("results", [])]
        if statuses == {"ok"}:
            return None if ids == [answer.ids["a"]] else ([answer.ids["a"]], dict(answer.result))
        if "ok" in statuses and ids == [answer.ids["a"]]:
            return None
        if ids or answer.ids["a"] in str(dict(answer.reply)):
            return "nothing of the record", dict(answer.result)
        return None


def _status(accepted: set[str], answer: Answer) -> tuple[object, object] | None:
    """Compare a status with the accepted ones; only an ok answer carries content."""
    status = answer.result.get("status")
    if status not in accepted:
        return {"status": " or ".join(sorted(accepted))}, dict(answer.result)
    if status != "ok" and set(answer.result) != {"status"}:
        return {"status": status}, dict(answer.result)
    return None


ENTRIES = (ConditionRead(), StatusRead(), GateRead(), GateLinks(), GateLinkTarget(), GateSearch())
