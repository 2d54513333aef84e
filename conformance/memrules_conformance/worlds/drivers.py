"""Drivers of what becomes of a record: its life, and its cold body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Mismatch

from .cells import call, stored
from .drivers_access import LockDriver, SwitchDriver
from .driving import NEW, WORLD, Plain
from .saving import filled
from .seeds import NOW, UNKNOWN_ID, record

if TYPE_CHECKING:
    from memrules_conformance.checks import Bench
    from memrules_spec import Rules
    from memrules_spec.machines import Cell

MOST_SAVES = 5
"""Saves after which a nearly full layer must have made room."""


class RecordDriver(Plain):
    """The lifecycle of a record, through the tools and the panel."""

    machine = "lite/record"
    area = "lifecycle"
    needs = frozenset({"lite.memory_save", "lite.memory_forget", "inspect.records"})

    def __init__(self) -> None:
        self.id = UNKNOWN_ID
        self.issued = False

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return the panel's operation that the event needs, and seeds for a full layer."""
        del state
        if event == "evict":
            return frozenset({"seed.records"})
        operation = {
            "panel_restore": "panel_restore",
            "panel_move": "panel_move",
            "undo_match": "panel_undo",
            "undo_mismatch": "panel_undo",
        }.get(event)
        return frozenset({f"lite.{operation}"} if operation else {"set.switches"})

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Save and update a record, then forget or purge it, in a layer that is nearly full.

        It is so only where room is to be made.
        """
        seed = {"seed": {"records": filled(998)}} if event == "evict" else {}
        bench.open({**WORLD, **seed})
        self.id, self.issued = UNKNOWN_ID, state != "absent"
        if state == "absent":
            return
        bench.door.call("set", {"now": NOW - 10**9})
        args = {"title": "t", "body": "old", "scope": "project", "resolution": "distinct"}
        self.id = call(bench, "memory_save", **args)["id"]
        call(bench, "memory_save", id=self.id, body="new")
        bench.door.call("set", {"now": NOW})
        if state in ("archived", "purged"):
            call(bench, "memory_forget", id=self.id, purge=state == "purged")

    def fire(self, bench: Bench, event: str) -> None:
        """Call the operation of the event."""
        found = stored(bench, self.id)
        revision = found["revision"] if found else 1
        if event in ("switch_off", "switch_on"):
            memory = event.removeprefix("switch_")
            bench.door.call("set", {"switches": {"memory": memory, "recall": "adaptive"}})
        elif event == "evict":
            if not any(self._evicted(bench) for _ in range(MOST_SAVES)):
                raise Mismatch("memory_save", "an evictionNote", f"none in {MOST_SAVES} saves")
        else:
            operations: dict[str, tuple[str, dict[str, Any]]] = {
                "save_new": ("memory_save", NEW),
                "save_with_id": ("memory_save", {"id": self.id, "body": "newer"}),
                "forget": ("memory_forget", {"id": self.id}),
                "forget_purge": ("memory_forget", {"id": self.id, "purge": True}),
                "panel_restore": ("panel_restore", {"id": self.id}),
                "panel_move": ("panel_move", {"id": self.id, "to": "global"}),
                "undo_match": ("panel_undo", {"id": self.id, "revision": revision}),
                "undo_mismatch": ("panel_undo", {"id": self.id, "revision": revision + 7}),
            }
            op, args = operations[event]
            said = call(bench, op, **args)
            if event == "save_new" and not self.issued:
                self.id = said["id"]

    def _evicted(self, bench: Bench) -> bool:
        """Save one more record; tell whether that made room."""
        said = call(bench, "memory_save", **NEW)
        if said.get("changed") is not True:
            raise Mismatch("memory_save", {"changed": True}, said)
        return "evictionNote" in said

    def state(self, bench: Bench) -> str:
        """Return where the record is in its life."""
        found = stored(bench, self.id)
        if found is None:
            return "purged" if self.issued else "absent"
        return "archived" if found.get("status") == "archived" else "live"

    def decided(self, rules: Rules, cell: Cell) -> set[str]:
        """Ask forget_result or undo_result with what this world is."""
        there = {"absent": "absent_or_purged", "purged": "absent_or_purged"}
        inputs: dict[str, Any] = {"switch": "on", "owner": "fits", "lock": "acquired", "io": "ok"}
        if cell.by == "forget_result":
            inputs |= {"record": there.get(cell.state, cell.state)}
            inputs |= {"purge": "yes" if cell.event == "forget_purge" else "no"}
        else:
            inputs |= {"record": there.get(cell.state, "present"), "revision": "equal"}
            inputs |= {"snapshot": "available", "cold": "ok", "capacity": "room"}
            inputs |= {"last_change": "archive" if cell.state == "archived" else "update"}
        found = rules.accepted(f"lite/{cell.by}", inputs)
        return {cell.map[str(outcome["after"])] for outcome in found}


class ColdDriver(Plain):
    """A body in cold storage, of an archived record or of a live one that was cooled."""

    machine = "lite/cold_body"
    area = "lifecycle"
    needs = frozenset({"lite.panel_show", "seed.records", "seed.cold", "damage"})

    def __init__(self) -> None:
        self.id = UNKNOWN_ID
        self.purged = False
        self.set_aside = False
        self.before = "none"

    def why_not(self, state: str, event: str) -> str | None:
        """Cooling is a state that a world begins with; an empty place cannot be damaged."""
        if event == "cool_live":
            return "bodies are cooled by the target on its own; a world only begins with one"
        if event in ("damage", "loss") and state in ("none", "missing", "quarantined"):
            return "there is no cold file in its place to be damaged or lost"
        if event == "restore_verified" and state in ("none", "missing", "corrupt", "quarantined"):
            return "there is no sound file to verify, or a repair is a fixture of its own"
        if event == "restore_failed" and state in ("none", "intact"):
            return "there is no file that could fail"
        return None

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return the operation of the event and those that the state needs."""
        needed = {
            "archive": {"lite.memory_forget"},
            "read": set(),
            "damage": set(),
            "loss": set(),
            "quarantine": {"lite.panel_quarantine"},
            "restore_verified": {"lite.panel_restore"},
            "restore_failed": {"lite.panel_restore"},
            "purge": {"lite.memory_forget"},
        }[event]
        return frozenset(needed | ({"lite.panel_quarantine"} if state == "quarantined" else set()))

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Begin with a live record or an archived one whose cold body is damaged as needed."""
        del event
        self.purged, self.set_aside, self.before = False, False, state
        cold = {} if state == "none" else {"status": "archived", "bodyAt": "cold"}
        one = record(layer="project", ownerProjectId="p1", title="t", body="b", **cold)
        self.id = bench.open({**WORLD, "seed": {"records": {"a": one}}})["a"]
        how = {"corrupt": "flip", "missing": "lose", "quarantined": "flip"}.get(state)
        if how:
            bench.door.call("fault", {"damage": {"cold": "a", "how": how}})
        if state == "quarantined":
            self.set_aside = call(bench, "panel_quarantine", id=self.id)["changed"]

    def fire(self, bench: Bench, event: str) -> None:
        """Call the operation of the event, or damage the file."""
        if event in ("damage", "loss"):
            again = "truncate" if self.before == "corrupt" else "flip"
            how = again if event == "damage" else "lose"
            bench.door.call("fault", {"damage": {"cold": "a", "how": how}})
            return
        operations: dict[str, tuple[str, dict[str, Any]]] = {
            "archive": ("memory_forget", {"id": self.id}),
            "read": ("panel_show", {"id": self.id}),
            "quarantine": ("panel_quarantine", {"id": self.id}),
            "restore_verified": ("panel_restore", {"id": self.id}),
            "restore_failed": ("panel_restore", {"id": self.id}),
            "purge": ("memory_forget", {"id": self.id, "purge": True}),
        }
        op, args = operations[event]
        changed = call(bench, op, **args)["changed"] if event != "read" else False
        self.purged = event == "purge"
        self.set_aside |= event == "quarantine" and changed

    def state(self, bench: Bench) -> str:
        """Return what a look at the body through the panel says of it."""
        if self.purged:
            return "none" if stored(bench, self.id) is None else "still there"
        found = stored(bench, self.id) or {}
        if found.get("bodyAt") != "cold":
            return "none"
        shown = call(bench, "panel_show", id=self.id)
        status = str(shown["status"])
        if status == "ok":
            return "intact" if shown.get("body") == "b" else "another body"
        if self.set_aside and status in ("cold_corrupt", "cold_missing"):
            return "quarantined"  # LM-8.35 leaves open by which of the two it is reported
        return {"cold_corrupt": "corrupt", "cold_missing": "missing"}.get(status, status)


DRIVERS = (RecordDriver(), ColdDriver(), SwitchDriver(), LockDriver())
