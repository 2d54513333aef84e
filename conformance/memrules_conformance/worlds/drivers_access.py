"""Drivers of the machines that let a write through: the switch, and the lock of a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Mismatch

from .cells import call
from .driving import NEW, WORLD, Plain
from .seeds import UNKNOWN_ID

if TYPE_CHECKING:
    from memrules_conformance.checks import Bench


class SwitchDriver(Plain):
    """The switch, turned by a human in the panel and felt by the tools."""

    machine = "lite/memory_switch"
    area = "switch"
    needs = frozenset({"lite.panel_switch", "lite.memory_save", "lite.memory_search"})

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return the panel's operation that the event needs."""
        del state
        more = {"panel_write": {"lite.panel_archive"}, "panel_look": {"lite.panel_list"}}
        return frozenset(more.get(event, set()))

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Turn the switch in the panel."""
        del event
        bench.open(dict(WORLD))
        call(bench, "panel_switch", memory=state)

    def fire(self, bench: Bench, event: str) -> None:
        """Do what the event says."""
        operations: dict[str, tuple[str, dict[str, Any]]] = {
            "human_turns_off": ("panel_switch", {"memory": "off"}),
            "human_turns_on": ("panel_switch", {"memory": "on"}),
            "tool_write": ("memory_save", NEW),
            "tool_search_or_read": ("memory_search", {"query": "x"}),
            "panel_write": ("panel_archive", {"id": UNKNOWN_ID}),
            "panel_look": ("panel_list", {"view": "active"}),
        }
        op, args = operations[event]
        call(bench, op, **args)

    def state(self, bench: Bench) -> str:
        """Return whether a search is refused for the switch."""
        status = call(bench, "memory_search", query="x")["status"]
        return "off" if status == "memory_disabled" else "on"


class LockDriver(Plain):
    """The lock of a scope as a writer meets it; seen by whether a save gets through."""

    machine = "lite/scope_lock"
    area = "lock"
    needs = frozenset({"lite.memory_save", "lock"})
    _events = ("acquire", "released_within_500ms", "waited_500ms", "write_done")

    def __init__(self) -> None:
        self.changed: bool | None = None
        self.before = "free"

    def why_not(self, state: str, event: str) -> str | None:
        """Leave out what a writer does not see: it looks at the lock only while it writes."""
        if state == "mine":
            return "inside one operation: shown by the stops of durability"
        if event not in self._events:
            return "what other processes do is how the state begins"
        if event == "write_done" or (event == "waited_500ms" and state in ("free", "other_dead")):
            return "a writer does not wait for a lock that it can have"
        if event == "released_within_500ms" and state in ("free", "other_dead"):
            return "there is no holder to release it"
        return None

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Let another process hold the lock."""
        del event
        bench.open(dict(WORLD))
        self.changed, self.before = None, state
        if state != "free":
            holder = state.removeprefix("other_")
            bench.door.call("fault", {"lock": {"scope": "project", "holder": holder}})

    def fire(self, bench: Bench, event: str) -> None:
        """Save, while the lock is released in time or not."""
        if event == "released_within_500ms":
            holder = self.before.removeprefix("other_")
            lock = {"scope": "project", "holder": holder, "release_after_ms": 300}
            bench.door.call("fault", {"lock": lock})
        said = call(bench, "memory_save", **NEW)
        self.changed = said["changed"]
        if said["changed"] is False and said.get("reason") != "busy":
            raise Mismatch("memory_save", "busy", said)

    def state(self, bench: Bench) -> str:
        """Return mine if the save got through, else what it was before."""
        del bench
        return "mine" if self.changed else self.before
