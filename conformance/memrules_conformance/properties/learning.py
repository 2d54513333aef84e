"""Properties of the learning chain over histories of feedback and runs of the organizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.cells import call, stored
from memrules_conformance.worlds.drivers_learning import FAILURE, KINDS, WEEK, change, output
from memrules_conformance.worlds.seeds import NOW, record

from .asking import Property

if TYPE_CHECKING:
    from collections.abc import Mapping

TWO_DAYS = 2 * 86_400_000
MOST_RUNS = 40
LIFTING = ("explicit_long_term_rule", "reset_evidence")
NEEDS = frozenset(
    {"lite.learning_feedback", "lite.learning_organize", "script.organizer", "seed.records",
     "set.runtime", "set.clock"}
)  # fmt: skip


def begin(bench: Bench, state: str, answers: list[Any]) -> str:
    """Open a world with one rule in a state; return its id."""
    learning: dict[str, Any] = {"state": state, "support": 0}
    if state == "trial":
        learning["trialUntil"] = NOW + WEEK
    rule = record(
        layer="project", ownerProjectId="p1", title="t", body="b",
        origin="project_evolution", learning=learning,
    )  # fmt: skip
    ids = bench.open(
        {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "runtime": {"experimental": True},
            "script": {"organizer": answers},
            "seed": {"records": {"a": rule}},
        }
    )
    return ids["a"]


def feed(bench: Bench, kind: str, rule: str) -> None:
    """Let the user say something of a rule."""
    said = call(
        bench, "learning_feedback", source="agent/pre-step", trusted=True, role="user",
        kind=kind, text="words", ruleId=rule,
    )  # fmt: skip
    if said.get("accepted") is not True:
        raise Mismatch("learning_feedback", {"accepted": True}, said)


class EveryRunIsCharged(Property):
    """A project has exactly as many runs a day as it may have, however many of them fail."""

    clauses = ("LM-7.20",)
    area = "learning"
    needs = NEEDS | {"lite.panel_receipts"}
    count = 5

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw which runs fail."""
        return st.lists(st.booleans(), min_size=MOST_RUNS, max_size=MOST_RUNS)

    def holds(self, bench: Bench, example: Any) -> None:
        """Use up the runs of a day, ask for one more, and for one on another day."""
        quota = int(bench.rules.reading("lite", "organizer-quota"))
        fails = [example[place % MOST_RUNS] for place in range(quota)]
        answers = [
            FAILURE if failing else output(change(evidence=(place,)))
            for place, failing in enumerate([*fails, False, False], start=1)
        ]
        rule = begin(bench, "active", answers)
        for place in range(quota):
            self._run(bench, rule, f"run {place + 1} of {quota}", charged=True)
        self._run(bench, rule, f"run {quota + 1} of {quota}", charged=False)
        bench.door.call("set", {"advance_ms": TWO_DAYS})
        self._run(bench, rule, "a run on another day", charged=True)
        listed = call(bench, "panel_receipts")["receipts"]
        if len(listed) != quota + 1:
            raise Mismatch("panel_receipts", f"{quota + 1} receipts", listed)

    def _run(self, bench: Bench, rule: str, what: str, *, charged: bool) -> None:
        feed(bench, "user_support", rule)
        said = call(bench, "learning_organize")
        if (said.get("receipt") is not None) is not charged:
            raise Mismatch(what, f"{'a' if charged else 'no'} receipt", said)


class ARunBeyondTheQuotaChangesNoRule(Property):
    """A run rewrites a rule if the day has one left for it, and leaves it alone if not."""

    clauses = ("LM-7.20",)
    area = "learning"
    needs = NEEDS | {"inspect.records"}
    count = 4

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw whether a run is left."""
        return st.booleans()

    def holds(self, bench: Bench, example: Any) -> None:
        """Use up the runs of the day, or all but one, and ask for another wording."""
        quota = int(bench.rules.reading("lite", "organizer-quota"))
        before = quota - example
        answers = [output(change(evidence=(place,))) for place in range(1, before + 1)]
        answers.append(output(change("another", evidence=(before + 1,))))
        rule = begin(bench, "active", answers)
        for _ in answers:
            feed(bench, "user_support", rule)
            call(bench, "learning_organize")
        found = (stored(bench, rule) or {}).get("body")
        if found != ("another" if example else "b"):
            raise Mismatch(f"run {before + 1} of {quota}", "another" if example else "b", found)


class StatesAreReachedInOrder(Property):
    """Whatever comes, trial lies between pending and active, and two kinds alone lift a pause."""

    clauses = ("LM-7.12", "LM-7.13", "LM-7.14")
    area = "learning"
    needs = NEEDS | {"inspect.records"}
    count = 40

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw a state and what the user says after it."""
        kinds = st.sampled_from([*sorted(KINDS), "user_correction"])
        states = st.sampled_from(["pending", "trial", "active", "paused"])
        return st.tuples(states, st.lists(kinds, min_size=1, max_size=8))

    def holds(self, bench: Bench, example: Any) -> None:
        """Give each piece of feedback and organize it, and look at the state each time."""
        state, kinds = example
        answers = [output(change(evidence=(n,))) for n in range(1, len(kinds) + 1)]
        rule = begin(bench, state, answers)
        for day, kind in enumerate(kinds):
            bench.door.call("set", {"now": NOW + day * TWO_DAYS})
            feed(bench, kind, rule)
            call(bench, "learning_organize")
            found = (stored(bench, rule) or {}).get("learning", {}).get("state")
            self._judge(state, kind, found)
            state = str(found)

    def _judge(self, before: str, kind: str, after: object) -> None:
        """Raise Mismatch for a step that no rule takes."""
        if before == "pending" and after == "active":
            raise Mismatch(f"{kind} in pending", "pending or trial first", after)
        if before == "paused" and (after == "paused") is (kind in LIFTING):
            wanted = "another state" if kind in LIFTING else "paused"
            raise Mismatch(f"{kind} in paused", wanted, after)
        if before == "active" and kind == "weak_evidence" and after != "active":
            raise Mismatch("weak_evidence in active", "active", after)


NEXT = {"pending": "trial", "trial": "active"}


def supported(bench: Bench, state: str, *, enough: bool) -> str:
    """Let the user support a rule as often as its next state takes, or once less; return its id."""
    wanted = int(bench.rules.reading("lite", f"{NEXT[state]}-support"))
    evidence = tuple(range(1, wanted + enough))
    rule = begin(bench, state, [output(change(evidence=evidence))] if evidence else [])
    for _ in evidence:
        feed(bench, "user_support", rule)
    if evidence:
        call(bench, "learning_organize")
    return rule


class _Supported(Property):
    """What the last user support that is declared for a rule brings about."""

    binding = "reading"
    area = "learning"
    count = 10

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw the state that the rule begins in, and whether it gets the last support."""
        return st.tuples(st.sampled_from(sorted(NEXT)), st.booleans())


class SupportMovesARule(_Supported):
    """A rule moves on with the last user support that is declared for it, and with none before."""

    clauses = ("LM-7.12",)
    needs = NEEDS | {"inspect.records"}

    def holds(self, bench: Bench, example: Any) -> None:
        """Look at the state afterwards."""
        state, enough = example
        rule = supported(bench, state, enough=enough)
        found = (stored(bench, rule) or {}).get("learning", {}).get("state")
        wanted = NEXT[state] if enough else state
        if found != wanted:
            raise Mismatch(f"the state of a rule in {state}", wanted, found)


class SupportMakesARuleUsable(_Supported):
    """A pending rule is read, and one on trial outlasts it, once the declared support is there."""

    clauses = ("LM-7.12", "LM-1.12")
    needs = NEEDS | {"lite.memory_read"}
    readings: ClassVar[Mapping[str, str]] = {"experimental-in-search-read": "eligible"}

    def holds(self, bench: Bench, example: Any) -> None:
        """Read the rule, after the end of its trial if it is on one."""
        state, enough = example
        rule = supported(bench, state, enough=enough)
        if state == "trial":
            bench.door.call("set", {"advance_ms": WEEK + 1})
        status = call(bench, "memory_read", id=rule)["status"]
        if (status == "ok") is not enough:
            raise Mismatch("memory_read", "ok" if enough else "a refusal", status)


RULES = (
    EveryRunIsCharged(),
    ARunBeyondTheQuotaChangesNoRule(),
    StatesAreReachedInOrder(),
    SupportMovesARule(),
    SupportMakesARuleUsable(),
)
