"""Worlds for memory_forget, and what they share with those for undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .saving import FAILING, LOCKED, LOOK
from .scenes import Answer, Cannot, Scene
from .seeds import NOW, UNKNOWN_ID, record

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination

A = {"$id": "a"}
SETTING = frozenset({"set.switches", "set.project", "lock", "fail_at"})
NEEDS = SETTING | {"lite.memory_forget", "seed.records", "inspect.records"}


def owned(owner: str, **fields: Any) -> dict[str, Any]:
    """Return a record of the project, or one in a visible layer whose owner does not fit."""
    if owner == "fits":
        return record(layer="project", ownerProjectId="p1", title="t", **fields)
    other = "p2" if owner == "mismatch" else "p1"
    return record(layer="global", ownerProjectId=other, title="t", **fields)


def faults(combination: Combination) -> tuple[tuple[str, Any], ...]:
    """Return the requests that hold the lock and let the write fail."""
    found: tuple[tuple[str, Any], ...] = ()
    if combination["lock"] == "timeout":
        holder = LOCKED
        if combination["owner"] != "fits":
            holder = (("fault", {"lock": {"scope": "global", "holder": "live"}}),)
        found += holder
    if combination["io"] == "fails":
        found += FAILING
    return found


def moment(combination: Combination, *, unconfirmed: bool) -> dict[str, Any]:
    """Return the world around the record."""
    return {
        "clock": {"mode": "manual", "now": NOW, "mono": 0},
        "project": {"id": "p1", "confirmed": not unconfirmed, "root": "/srv/p1"},
        "switches": {"memory": combination["switch"], "recall": "adaptive"},
    }


def unseen(combination: Combination) -> bool:
    """Tell whether the project must be unconfirmed for a combination."""
    elsewhere: bool = combination["record"] == "not_in_global_while_unconfirmed"
    return elsewhere or combination["owner"] == "unverifiable"


def compared(
    rules: Rules, table: str, combination: Combination, answer: Answer, said: dict[str, object]
) -> tuple[object, object] | None:
    """Compare what was seen with what the table accepts, and ``changed`` with what happened."""
    accepted = [dict(outcome) for outcome in rules.accepted(table, combination)]
    changed = said["after"] != "unchanged"
    if said in accepted and answer.result.get("changed") is changed:
        return None
    return {**accepted[0], "changed": accepted[0]["after"] != "unchanged"}, {
        **said,
        "result": dict(answer.result),
    }


class Forgetting:
    """The answer of memory_forget, and what became of the record."""

    table = "lite/forget_result"
    name = "memory_forget"
    needs = NEEDS
    level = "default"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Seed the record and bring about lock, I/O and switch."""
        records: dict[str, Any] = {}
        args: dict[str, Any] = {"id": UNKNOWN_ID}
        if combination["record"] in ("live", "archived"):
            status = "archived" if combination["record"] == "archived" else "active"
            records["a"] = owned(combination["owner"], status=status)
            args["id"] = A
        if combination["lock"] == "timeout" and not records:
            return Cannot("a record that is not there lies in no scope whose lock could be held")
        if combination["purge"] == "yes":
            args["purge"] = True
        world = moment(combination, unconfirmed=unseen(combination))
        prepare = faults(combination)
        return Scene("memory_forget", args, world, records, prepare=prepare, look=LOOK, alone=True)

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare changed, reason and the state of the record afterwards."""
        said = {
            "reason": answer.result.get("reason", "absent"),
            "after": self._after(combination, answer),
        }
        return compared(rules, self.table, combination, answer, said)

    def _after(self, combination: Combination, answer: Answer) -> str:
        """Return what became of the record: unchanged, archived or purged."""
        if "a" not in answer.ids:
            return "unchanged" if not answer.seen[0]["records"] else "something appeared"
        found = [r for r in answer.seen[0]["records"] if r["id"] == answer.ids["a"]]
        if not found:
            return "purged"
        archived = found[0].get("status") == "archived"
        before = combination["record"] == "archived"
        unchanged = archived is before and found[0].get("revision") == 1
        return "unchanged" if unchanged else "archived" if archived else "changed"


ENTRIES = (Forgetting(),)
