"""Worlds for undo by id and revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .lifecycle import NEEDS, A, compared, faults, moment, owned, unseen
from .saving import FULL, LOOK, filled
from .scenes import Answer, Cannot, Scene
from .seeds import UNKNOWN_ID

if TYPE_CHECKING:
    from memrules_spec import Rules

    from .scenes import Combination


class Undoing:
    """The answer of undo, and what became of the record."""

    table = "lite/undo_result"
    name = "panel_undo"
    needs = (NEEDS - {"lite.memory_forget"}) | {"lite.panel_undo", "lite.memory_save"}
    level = "default"
    changes = ("create", "update")
    capacity = "room"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Make the last change by an operation, then undo by the revision it gave."""
        if why := self._why_not(combination):
            return Cannot(why)
        there = combination["record"] == "present"
        change = self._last_change(combination)
        args: dict[str, Any] = {"id": A if there else UNKNOWN_ID, "revision": 1}
        records = {"a": owned(combination["owner"], body="old")} if there else {}
        prepare = self._change(change)
        if change == "create":
            records, args["id"] = {}, {"$saved": "id"}
        if change == "update":
            args["revision"] = 2
        if combination["revision"] == "different":
            args["revision"] += 1
        world = moment(combination, unconfirmed=unseen(combination))
        if change != "none" and combination["switch"] == "off":
            world["switches"]["memory"] = "on"
            off = {"memory": "off", "recall": "adaptive"}
            prepare += (("set", {"switches": off}),)
        prepare += faults(combination)
        return Scene("panel_undo", args, world, records, prepare=prepare, look=LOOK, alone=True)

    def _last_change(self, combination: Combination) -> str:
        """Return the change that is to be undone: none where nothing was kept of it."""
        kept = combination["record"] == "present" and combination["snapshot"] == "available"
        return str(combination["last_change"]) if kept else "none"

    def _why_not(self, combination: Combination) -> str | None:
        """Return why no world of this entry shows a combination."""
        change = self._last_change(combination)
        if combination["capacity"] != self.capacity:
            return "full layers are asked for by panel_undo_full, others not"
        if change not in (*self.changes, "none"):
            return "changes by forget, move and restore are asked for by their own entries"
        if combination["cold"] != "ok":
            return "damaged cold bodies are asked for by panel_undo_archive"
        if change != "none" and combination["owner"] != "fits":
            return "a record that belongs elsewhere cannot be changed first"
        if combination["lock"] == "timeout" and combination["record"] != "present":
            return "a record that is not there lies in no scope whose lock could be held"
        return None

    def _change(self, change: str) -> tuple[tuple[str, Any], ...]:
        """Return the request that makes the last change."""
        if change == "create":
            new = {"title": "t", "body": "new", "scope": "project"}
            return (("call", {"op": "memory_save", "args": new}),)
        if change == "update":
            return (("call", {"op": "memory_save", "args": {"id": A, "body": "new"}}),)
        return ()

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Compare changed, reason, the eviction note and the record afterwards."""
        said = {
            "reason": answer.result.get("reason", "absent"),
            "after": self._after(combination, answer),
            "evictionNote": "one_sentence_a_victim"
            if "evictionNote" in answer.result
            else "absent",
        }
        return compared(rules, self.table, combination, answer, said)

    def _after(self, combination: Combination, answer: Answer) -> str:
        """Return what became of the record in the words of the table."""
        if not answer.result.get("changed"):
            return "unchanged"
        records = [
            r for r in answer.seen[0]["records"] if not r.get("title", "").startswith("full")
        ]
        if not records:
            return "removed"
        (found,) = records
        if combination["last_change"] == "create":
            return "archived" if found.get("status") == "archived" else "something else"
        if combination["last_change"] == "archive":
            return "live_again" if found.get("status") != "archived" else "something else"
        if combination["last_change"] == "move":
            return "former_layer" if found["layer"] == "project" else "something else"
        return "former_values" if found.get("body") == "old" else "something else"


class UndoingArchive(Undoing):
    """Undo of an archiving, whose body lies in cold storage."""

    name = "panel_undo_archive"
    needs = Undoing.needs | {"lite.memory_forget"}
    sound = True

    def build(self, combination: Combination) -> Scene | Cannot:
        """Forget the record, damage its cold body as the combination says, and undo."""
        if combination["last_change"] != "archive" or combination["snapshot"] != "available":
            return Cannot("the last change is not an archiving that can be taken back")
        if combination["record"] != "present" or combination["owner"] != "fits":
            return Cannot("a record that belongs elsewhere cannot be changed first")
        if combination["capacity"] != "room":
            return Cannot("full layers are asked for by panel_undo_full, others not")
        if (combination["cold"] == "ok") is not self.sound:
            return Cannot("sound and damaged bodies are asked for by entries of their own")
        how = {"corrupt": "flip", "missing": "lose"}.get(combination["cold"])
        prepare: tuple[tuple[str, Any], ...] = (
            ("call", {"op": "memory_forget", "args": {"id": A}}),
        )
        if how:
            prepare += (("fault", {"damage": {"cold": {"$handle": "a"}, "how": how}}),)
        if combination["switch"] == "off":
            prepare += (("set", {"switches": {"memory": "off", "recall": "adaptive"}}),)
        revision = 2 if combination["revision"] == "equal" else 3
        world = moment({**combination, "switch": "on"}, unconfirmed=False)
        records = {"a": owned("fits", body="old")}
        args = {"id": A, "revision": revision}
        prepare += faults(combination)
        return Scene("panel_undo", args, world, records, prepare=prepare, look=LOOK, alone=True)


class UndoingDamaged(UndoingArchive):
    """Undo of an archiving whose cold body is damaged or lost."""

    name = "panel_undo_damaged"
    needs = UndoingArchive.needs | {"damage"}
    sound = False


class UndoingMove(UndoingArchive):
    """Undo of a move to the global layer."""

    name = "panel_undo_move"
    needs = Undoing.needs | {"lite.panel_move"}

    def build(self, combination: Combination) -> Scene | Cannot:
        """Move the record to the global layer and undo."""
        if combination["last_change"] != "move" or combination["snapshot"] != "available":
            return Cannot("the last change is not a move that can be taken back")
        scene = super().build({**combination, "last_change": "archive"})
        if isinstance(scene, Cannot):
            return scene
        move = ("call", {"op": "panel_move", "args": {"id": A, "to": "global"}})
        prepare = (move, *scene.prepare[1:])
        return Scene(
            scene.op, scene.args, scene.moment, scene.records,
            prepare=prepare, look=LOOK, alone=True,
        )  # fmt: skip


class UndoingFull(UndoingArchive):
    """Undo that brings a record back into a layer that is full by then."""

    name = "panel_undo_full"
    level = "long"

    def build(self, combination: Combination) -> Scene | Cannot:
        """Fill the layer around a record that was archived."""
        if combination["capacity"] != "hard_limit":
            return Cannot("layers with room are asked for by the other entries")
        if combination["last_change"] != "archive":
            return Cannot(
                "only what was archived comes back as one entry more; bytes are for fixtures"
            )
        scene = super().build({**combination, "capacity": "room"})
        if isinstance(scene, Cannot):
            return scene
        more = {"title": "full again", "body": "z", "scope": "project", "resolution": "distinct"}
        again = ("call", {"op": "memory_save", "args": more})
        prepare = (scene.prepare[0], again, *scene.prepare[1:])
        records = {**filled(FULL - 1), **scene.records}
        return Scene(
            scene.op, scene.args, scene.moment, records, prepare=prepare, look=LOOK, alone=True
        )


ENTRIES = (Undoing(), UndoingArchive(), UndoingDamaged(), UndoingMove(), UndoingFull())
