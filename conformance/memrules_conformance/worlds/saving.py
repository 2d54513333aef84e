"""Worlds for memory_save: where a new record goes, and what the save answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scenes import Answer, Cannot, Scene
from .seeds import NOW, RUNTIME, UNKNOWN_ID, record

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination

LOOK = (("inspect", {"part": "records"}),)
FULL = 1000
LOCKED = (("fault", {"lock": {"scope": "project", "holder": "live"}}),)
FAILING = (("fault", {"fail_at": "*", "error": "EIO", "times": 1}),)
NEEDS = frozenset(
    {"lite.memory_save", "seed.records", "inspect.records", "set.switches", "set.project"}
)


def filled(count: int = FULL) -> dict[str, dict[str, Any]]:
    """Return records that fill the project's layer, the first of them unread the longest."""
    return {
        f"f{place}": record(
            layer="project", ownerProjectId="p1", title=f"full {place}", body=f"{place} {place}",
            createdAt=NOW - 100_000 + place,
        )
        for place in range(count)
    }  # fmt: skip


class Routing:
    """The layer of a new record, and the cause of its scopeNote by its presence."""

    table = "lite/scope_routing"
    name = "memory_save"
    needs = frozenset({"lite.memory_save", "inspect.records"})
    level = "default"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Save a record with the class, conditions, traces and evidence of the combination."""
        args: dict[str, Any] = {"title": "t", "body": "b", "resolution": "distinct"}
        if combination["requested"] != "none":
            args["scope"] = combination["requested"]
        kind = combination["memory_class"]
        if kind != "unclassified":
            args["memoryClass"] = "preference" if kind == "other" else kind
        if combination["env_condition"] == "yes":
            args["conditions"] = [{"key": "machine", "value": "m1"}]
        if combination["local_trace"] == "yes":
            args["body"] = "run /home/kim/tool first"
        if combination["evidence_ref"] == "yes":
            args["evidenceRef"] = "e1"
        return Scene("memory_save", args, look=LOOK, alone=True)

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the layer in which the record lies and whether a note came."""
        records = answer.seen[0]["records"]
        layer = records[0]["layer"] if records else "none"
        said = {"layer": layer, "scopeNote": "scopeNote" in answer.result}
        accepted = [
            {"layer": o["layer"], "scopeNote": o["scopeNote"] != "absent"}
            for o in rules.accepted(self.table, combination)
        ]
        if said in accepted:
            return None
        return accepted[0], {**said, "result": dict(answer.result)}


class Saving:
    """The answer of a save, field by field, in a layer with room."""

    table = "lite/save_result"
    name = "memory_save"
    needs = NEEDS | {"lock", "fail_at"}
    level = "default"
    capacity = "room"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Bring about every input by arguments, seeds and faults."""
        if why := self._why_not(combination):
            return Cannot(why)
        unconfirmed = combination["layer"] == "no_project_identity"
        records: dict[str, Any] = self._others(combination)
        args: dict[str, Any] = {"title": "new title", "summary": "", "body": "alpha beta gamma"}
        if combination["mode"] == "update":
            args = {"body": "another body"}
            args["id"] = self._target(combination, records)
            unconfirmed = combination["target"] == "not_in_global_while_unconfirmed"
            if combination["delta"] == "no_change":
                args["body"] = "target body"
        elif not unconfirmed:
            args["scope"] = "project"
        if combination["slot"] == "taken":
            args["topicKey"] = "k"
        self._spoil(combination, args)
        if combination["resolution"] == "distinct":
            args["resolution"] = "distinct"
        prepare: tuple[tuple[str, Any], ...] = ()
        if combination["lock"] == "timeout":
            prepare += LOCKED
        if combination["io"] == "fails":
            prepare += FAILING
        world = {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "switches": {"memory": combination["switch"], "recall": "adaptive"},
            "project": {"id": "p1", "confirmed": not unconfirmed, "root": "/srv/p1"},
            "runtime": RUNTIME,
        }
        return Scene("memory_save", args, world, records, prepare=prepare, look=LOOK, alone=True)

    def _others(self, combination: Combination) -> dict[str, Any]:
        """Return the records beside the one that is saved: a similar one, a holder of the slot."""
        records: dict[str, Any] = {}
        mine = {"layer": "project", "ownerProjectId": "p1"}
        if combination["layer"] == "no_project_identity":
            mine = {"layer": "global"}
        if combination["similar"] == "similar_text_other_title":
            records["s"] = record(title="old title", body="alpha beta gamma", **mine)
        if combination["similar"] == "same_identity":
            records["s"] = record(title="new title", body="alpha beta gamma", **mine)
        if combination["slot"] == "taken":
            records["h"] = record(title="holder", body="nothing alike", topicKey="k", **mine)
        return records

    def _target(self, combination: Combination, records: dict[str, Any]) -> Any:
        """Return the id to update; the record that has it is added to the records."""
        kind = combination["target"]
        mine: dict[str, Any] = {
            "layer": "project",
            "ownerProjectId": "p1",
            "title": "target",
            "body": "target body",
        }
        if kind in ("gone", "not_in_global_while_unconfirmed"):
            return UNKNOWN_ID
        if kind == "not_applicable":
            learning = {"state": "active", "support": 0}
            mine |= {"origin": "project_evolution", "learning": learning}
        if kind == "needs_context":
            mine |= {"layer": "global", "ownerProjectId": "p2"}
        records["a"] = record(**mine)
        return {"$id": "a"}

    def _why_not(self, combination: Combination) -> str | None:
        """Return why no world of this entry shows a combination."""
        if combination["capacity"] != self.capacity:
            return "full layers are asked for by memory_save_full, others not"
        if combination["layer"] == "refused":
            return "routing refuses only under blocked-device-fact=refused"
        if combination["delta"] == "no_change" and combination["slot"] == "taken":
            return "an update that changes nothing claims no slot"
        if combination["delta"] == "no_change" and combination["arguments"] != "valid":
            return "arguments that are refused change nothing anyway"
        return None

    def _spoil(self, combination: Combination, args: dict[str, Any]) -> None:
        """Make the arguments what the combination says of them."""
        kind = combination["arguments"]
        if kind == "bad_fields":
            args["summary"] = 1
        if kind == "bad_conditions":
            args["conditions"] = [{"key": "weather", "value": "rain"}]
        if kind == "bad_applicability":
            args["applicability"] = "sometimes"
        if kind == "all_in_scope_with_conditions":
            args["applicability"] = "all_in_scope"
            args["conditions"] = [{"key": "phase", "value": "x"}]
        if kind == "body_too_large":
            args["body"] = "a" * 4097

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the result with the outcomes that conform; nothing refused is stored."""
        accepted = [dict(outcome) for outcome in rules.accepted(self.table, combination)]
        said = described(answer, answer.ids.get("a"))
        if said not in accepted:
            return accepted[0], {**said, "result": dict(answer.result)}
        created = combination["mode"] == "create" and said["changed"]
        if not created and (new := _new(answer)):
            return "nothing new in the store", sorted(new)
        return None


class SavingFull(Saving):
    """The answer of a save that meets a full layer."""

    name = "memory_save_full"
    level = "long"
    capacity = "hard_limit"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Fill the layer around the world of the other combinations."""
        if combination["mode"] == "update":
            return Cannot("an update meets the limit by its bytes: a fixture of its own")
        scene = super().build(combination)
        if isinstance(scene, Cannot):
            return scene
        if combination["layer"] == "no_project_identity":
            return Cannot("without a project there is no layer of it to be full")
        records = {**filled(FULL - len(scene.records)), **scene.records}
        return Scene(
            scene.op, scene.args, scene.moment, records,
            prepare=scene.prepare, look=scene.look, alone=True,
        )  # fmt: skip


def described(answer: Answer, target: str | None) -> dict[str, Any]:
    """Return the result of a save in the words of the table."""
    result = answer.result
    named = {entry.get("id") for entry in result.get("candidates", [])}
    similar = answer.ids.get("s") in named
    holder = answer.ids.get("h") in named
    candidates = {(True, True): "similar_and_holder", (True, False): "similar"}.get(
        (similar, holder), "holder" if holder else "others" if named else "absent"
    )
    return {
        "changed": result.get("changed"),
        "id": _whose(answer, target),
        "reason": result.get("reason", "absent"),
        "needsScope": result.get("needsScope", "absent"),
        "needsResolution": result.get("needsResolution", "absent"),
        "candidates": candidates if "candidates" in result else "absent",
        "evictionNote": noted(answer),
    }


def _whose(answer: Answer, target: str | None) -> str:
    """Return whose id a save gives: that of its target, of what it stored, or of what is there."""
    id_ = answer.result.get("id")
    if id_ == "":
        return "empty"
    there = {answer.ids.get("s")}
    right = {target} if target else _new(answer) if answer.result.get("changed") else there
    return "of_the_record" if id_ in right else "of another record"


def _new(answer: Answer) -> set[str]:
    """Return the ids of the records that were not there before."""
    return {entry["id"] for entry in answer.seen[0]["records"]} - set(answer.ids.values())


def noted(answer: Answer) -> str:
    """Return whether make-room sentences came, in the words of the tables."""
    return "one_sentence_a_victim" if "evictionNote" in answer.result else "absent"


ENTRIES = (Routing(), Saving(), SavingFull())
