"""Worlds for automatic injection: when a pass runs, and who speaks for a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .gate import gated, moment
from .scenes import Answer, Cannot, Scene
from .seeds import FAILS, NOW, RUNTIME, UNREADABLE, record

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination

NEEDS = frozenset({"lite.inject", "seed.records", "set.switches"})
WORLD: dict[str, Any] = {"clock": {"mode": "manual", "now": NOW, "mono": 0}, "runtime": RUNTIME}


def injected(answer: Answer) -> list[str]:
    """Return the ids of the cards of a turn."""
    return [card["id"] for card in answer.reply["injected"]["cards"]]


class Trigger:
    """Whether a preparation runs a pass: a record that matches comes, or nothing does."""

    table = "lite/inject_trigger"
    name = "turn"
    needs = NEEDS

    def build(self, combination: Combination) -> Scene | Cannot:
        """Begin a turn under a switch, a mode and a phase."""
        mode = "adaptive" if combination["recall_mode"] == "adaptive" else "tool"
        world = {**WORLD, "switches": {"memory": combination["switch"], "recall": mode}}
        args = {
            "text": "word{n}",
            "humans": combination["fresh_humans"],
            "phase": combination["phase"],
        }
        return Scene("", args, world, {"a": record()}, alone=True, method="turn")

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare whether a pass ran."""
        ran = answer.result["outcome"] != "none"
        accepted = [outcome["pass"] for outcome in rules.accepted(self.table, combination)]
        if ran in accepted and (injected(answer) == [answer.ids["a"]]) is ran:
            return None
        return {"pass": accepted[0]}, dict(answer.result)


class Slot:
    """Which member of a topicKey slot is injected."""

    table = "lite/inject_slot"
    name = "turn"
    needs = NEEDS | {"seed.slots"}

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the members of a slot and the human's pick."""
        records: dict[str, Any] = {}
        across = combination["ok_spread"] == "one_project_rest_global"
        count = {"zero": 0, "one": 1, "many": 2}[combination["ok_members"]]
        for place in range(count):
            layer = "project" if across and place == 0 else "global"
            records[f"ok{place}"] = self._member(layer=layer)
        if combination["unknown_members"] == "some":
            records["unknown"] = self._member(conditions=[UNREADABLE], applicability="conditional")
        if combination["inapplicable_members"] == "some":
            records["never"] = self._member(conditions=[FAILS], applicability="conditional")
        pick = {
            "none": None,
            "pick_ok": "ok0",
            "pick_not_ok": "unknown" if "unknown" in records else "never",
        }[combination["human_pick"]]
        if not records:
            return Cannot("a slot without members is no slot")
        world = dict(WORLD)
        if pick is not None:
            world["seed"] = {"slots": {"k": f"s0.{pick}"}}
        return Scene("", {"text": "word{n}"}, world, records, alone=True, method="turn")

    def _member(self, **fields: Any) -> dict[str, Any]:
        """Return a member of the slot in the project's or the global layer."""
        if fields.get("layer") == "project":
            fields["ownerProjectId"] = "p1"
        return record(topicKey="k", **fields)

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the cards with the members that may speak."""
        named = {id_: handle for handle, id_ in answer.ids.items()}
        said = sorted(named.get(id_, "another") for id_ in injected(answer))
        meant = {
            "none": [],
            "picked": ["ok0"],
            "sole_ok": ["ok0"],
            "project_member": ["ok0"],
            "one_a_layer": ["ok0", "ok1"],
        }
        accepted = [meant[str(o["candidate"])] for o in rules.accepted(self.table, combination)]
        return None if said in accepted else ({"injected": accepted[0]}, {"injected": said})


class GateInject:
    """The gate of automatic injection, seen as presence among the ordinary cards."""

    table = "lite/eligibility"
    name = "turn"
    needs = NEEDS | {"set.runtime", "set.project"}
    purposes = ("inject",)
    segment = "ordinary"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the record and begin a turn whose text is its own word."""
        if combination["purpose"] not in self.purposes:
            return Cannot("the purpose is not that of this segment")
        if combination["presence"] == "absent":
            return Cannot("a record that does not exist is no candidate")
        found = gated(combination)
        if isinstance(found, Cannot):
            return found
        world = moment(combination)
        del world["budget"]
        return Scene("", {"text": "word{n}"}, world, {"a": found}, method="turn")

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare the cards of the segment with the gate's outcomes."""
        statuses = {str(o["status"]) for o in rules.accepted(self.table, combination)}
        cards = answer.reply["injected"]["cards"]
        found = [c["id"] for c in cards if c["segment"] == self.segment]
        wanted = [answer.ids["a"]] if statuses == {"ok"} else []
        return None if found == wanted else ({"cards": wanted}, {"cards": cards})


class GateExperiment(GateInject):
    """The gate of experimental rules, seen as presence among the experimental cards."""

    name = "turn_experiment"
    purposes = ("experiment",)
    segment = "experimental"


ENTRIES = (Trigger(), Slot(), GateInject(), GateExperiment())
