"""The driver of the machine of learning: every event comes through feedback and the organizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Mismatch

from .cells import call, stored
from .driving import WORLD, Plain
from .seeds import NOW, UNKNOWN_ID, record

if TYPE_CHECKING:
    from memrules_conformance.checks import Bench

WEEK = 604_800_000
SPEC: dict[str, Any] = {"title": "t", "summary": "", "body": "b", "conditions": []}
FAILURE = {"fail": "timeout"}
KINDS = frozenset({"user_support", "explicit_long_term_rule", "weak_evidence", "reset_evidence"})
ABOUT_ANOTHER = frozenset({"same_spec_digest", "organizer_failed"})
"""Events whose run needs something to organize that moves no state of this rule."""


def change(body: str = "b", evidence: tuple[int, ...] = (1,), **other: Any) -> dict[str, Any]:
    """Return a change of the rule ``a`` that rests on the numbered feedback as it is now."""
    return {
        "op": "keep" if body == "b" else "revise",
        "ruleId": "record:a",
        "spec": {**SPEC, "body": body},
        "evidence": [f"feedback:{number}" for number in evidence],
        "feedbackRevisions": {f"feedback:{n}": f"revision:{n}" for n in evidence},
        "reason": "r",
        **other,
    }


def output(*changes: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of the organizer with some changes."""
    return {"output": {"version": 1, "changes": list(changes)}}


ANSWERS: dict[str, Any] = {
    "same_spec_digest": output(change(evidence=())),
    "changed_spec_digest": output(change("another")),
    "organizer_failed": FAILURE,
    "stale_result": output(change("another", feedbackRevisions={"feedback:1": 0})),
    **dict.fromkeys(KINDS, output(change())),
}


class LearningDriver(Plain):
    """A rule of a project that begins in a state and meets one event of the learning chain."""

    machine = "lite/learning"
    area = "learning"
    needs = frozenset({"lite.learning_feedback", "seed.records", "inspect.records", "set.runtime"})

    def __init__(self) -> None:
        self.id = UNKNOWN_ID
        self.other = UNKNOWN_ID

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return the organizer where the event comes from it, and the clock where that does."""
        del state
        if event in ANSWERS:
            return frozenset({"lite.learning_organize", "script.organizer"})
        return frozenset({"set.clock"} if event == "trial_expires" else ())

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Begin with two rules in the state, and with the organizer's answer to the event."""
        learning: dict[str, Any] = {"state": state, "support": 0}
        if state == "trial":
            learning["trialUntil"] = NOW + WEEK
        rule = record(
            layer="project", ownerProjectId="p1", title="t", body="b",
            origin="project_evolution", learning=learning,
        )  # fmt: skip
        world = {
            **WORLD,
            "runtime": {"experimental": True},
            "script": {"organizer": [ANSWERS[event]] if event in ANSWERS else []},
            "seed": {"records": {"a": rule, "other": {**rule, "title": "o", "body": "o"}}},
        }
        ids = bench.open(world)
        self.id, self.other = ids["a"], ids["other"]

    def fire(self, bench: Bench, event: str) -> None:
        """Give the feedback of the event and let the organizer answer."""
        if event == "trial_expires":
            bench.door.call("set", {"advance_ms": 2 * WEEK})
            return
        if event == "assistant_claim":
            self._feedback(bench, "assistant_claim", accepted=False, role="assistant")
            return
        if event == "user_correction":
            self._feedback(bench, "user_correction")
            return
        kind = event if event in KINDS else "user_support"
        self._feedback(bench, kind, ruleId=self.other if event in ABOUT_ANOTHER else self.id)
        said = call(bench, "learning_organize")
        if said.get("receipt") is None:
            raise Mismatch("learning_organize", "a run with a receipt", said)

    def state(self, bench: Bench) -> str:
        """Return the learning state that the store holds for the rule."""
        found = stored(bench, self.id) or {}
        return str(found.get("learning", {}).get("state"))

    def _feedback(
        self, bench: Bench, kind: str, *, accepted: bool = True, role: str = "user", **more: Any
    ) -> None:
        """Give one piece of feedback on the rule; raise Mismatch unless it is taken as it must."""
        said = call(
            bench, "learning_feedback",
            **{"source": "agent/pre-step", "trusted": True, "role": role, "kind": kind,
               "text": "words", "ruleId": self.id, **more},
        )  # fmt: skip
        if said.get("accepted") is not accepted:
            raise Mismatch("learning_feedback", {"accepted": accepted}, said)


DRIVERS = (LearningDriver(),)
