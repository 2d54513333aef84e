"""One memory_save while it is judged: what is known of it, and the answer that the table gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .answers import busy_code
from .citations import cite_record
from .limits import Load
from .replies import Reply, said
from .seeding import new_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .similarity import Alike
    from .store import BusyError, State
    from .world import Session, World


@dataclass
class Saving:
    """The inputs of ``save_result`` as they become known, and what the answer will name.

    An input that is not known yet says that nothing is in the way.  ``asked`` is the id that was
    given, ``created`` the one that a new record gets.
    """

    world: World
    session: Session
    inputs: dict[str, str]
    asked: object = None
    created: str = field(default_factory=new_id)
    similar: list[Alike] = field(default_factory=list)
    holder: Record | None = None
    record: Record | None = None
    evictions: list[str] = field(default_factory=list)
    scope_note: str | None = None
    hinted: bool = False
    busy: BusyError | None = None

    def know(self, **inputs: str) -> None:
        """Take in what is known of inputs."""
        self.inputs.update(inputs)

    def refused(self) -> bool:
        """Return whether what is known so far already keeps the save from changing anything."""
        outcome = self.world.ruling.rules.decide("lite/save_result", self.inputs).outcome
        return outcome["changed"] is False

    def weigh(self, record: Record, state: State) -> Load:
        """Return the load of a layer once a record is in it, and learn whether it is too much."""
        load = Load(self.world.ruling, {**state.records, record.id: record}.values())
        self.know(capacity="hard_limit" if load.over else "room")
        self.hinted = load.hinted
        return load

    def answer(self) -> Reply:
        """Return what the table says of all that is known, with its message and citation."""
        outcome = self.world.ruling.decide("save_result", **self.inputs)
        result: dict[str, Any] = {"changed": outcome["changed"], "id": self._id(outcome)}
        lines = []
        if outcome["changed"] and self.record is not None:
            result["revision"] = self.record.current_revision  # LM-8.33
        for name in ("reason", "needsScope", "needsResolution"):
            if outcome[name] != "absent":
                result[name] = outcome[name]
        if outcome["candidates"] != "absent":
            result["candidates"] = self._candidates(str(outcome["candidates"]))
            lines += [f"[{one['id']}] {one['title']}" for one in result["candidates"]]
        if outcome["evictionNote"] != "absent":
            result["evictionNote"] = self.evictions
            lines += self.evictions
        if self._noted(outcome):
            result["scopeNote"] = self.scope_note  # LM-4.44
            lines.append(str(self.scope_note))
        if outcome["changed"] and self.record is not None:
            cite_record(self.session, "updates", self.record)
            return self._changed(result, self.record, lines)
        return said(result, self._code(outcome), self.world.ruling, *lines)

    def _changed(self, result: dict[str, Any], record: Record, lines: list[str]) -> Reply:
        """Return the answer of a save that stored something."""
        ruling = self.world.ruling
        if self.hinted and ruling.reading("soft-limit-effect") == "result_hint":
            result["hints"] = [ruling.line("lines", "soft_limit")]
            lines += result["hints"]
        line = "remembered" if self.inputs["mode"] == "create" else "updated"
        first = f"{ruling.line('lines', line)} [{record.id}] {record.title or ''}".rstrip()
        return Reply(result, "\n".join([first, *lines]))

    def _id(self, outcome: Mapping[str, Any]) -> str:
        """Return the id that the answer carries: that of the record, or none."""
        if outcome["id"] == "empty":
            return ""
        if self.asked is not None:
            return str(self.asked)
        return self.created if outcome["changed"] or not self.similar else self.similar[0].record.id

    def _candidates(self, kind: str) -> list[dict[str, str]]:
        """Return the entries that the model is asked about, the holder of the slot among them."""
        named = (
            [] if kind == "holder" else [r.record for r in self.similar if self._shown(r.record)]
        )
        if kind != "similar":
            if self.holder is None:
                message = "the rules name the holder of a slot that is free"
                raise LookupError(message)
            if self.holder not in named:
                named.insert(min(1, len(named)), self.holder)
        listed = []
        for number, record in enumerate(named, start=1):
            entry = self.world.ruling.decide("similar_candidates", number=number)["entry"]
            if entry == "left_out":  # LM-4.8
                break
            listed.append({"id": record.id, "title": record.title or ""})
        return listed

    def _shown(self, record: Record) -> bool:
        """Return whether a similar entry may be named though search would hide it."""
        if self.world.ruling.reading("candidates-not-ok") == "shown":
            return True
        return self.world.judge(record, "search") == "ok"

    def _noted(self, outcome: Mapping[str, Any]) -> bool:
        """Return whether the answer says why the record is not in the global layer."""
        lowered = outcome["changed"] or self.inputs["layer"] != "resolved"
        return bool(lowered) and self.scope_note is not None and self.inputs["switch"] == "on"

    def _code(self, outcome: Mapping[str, Any]) -> str:
        """Return the code of the text that says why nothing was stored."""
        if outcome["reason"] == "busy" and self.busy is not None:
            return busy_code(self.world, self.busy)
        if outcome["needsScope"] is True and outcome["reason"] == "needs_context":
            return "needs_scope"
        if outcome["needsResolution"] is True:
            return "slot_taken" if outcome["candidates"] == "holder" else "needs_resolution"
        return "unchanged" if outcome["reason"] == "absent" else str(outcome["reason"])


def begin(world: World, session: Session, args: Mapping[str, Any]) -> Saving:
    """Return a save of which nothing is known but the switch and what was asked."""
    mode = "create" if args.get("id") is None else "update"
    inputs = {
        "switch": world.switched(session),
        "arguments": "valid",
        "mode": mode,
        "target": "no_id" if mode == "create" else "ok",
        "layer": "resolved",
        "lock": "acquired",
        "similar": "none",
        "slot": "free_or_own",
        "resolution": "none" if args.get("resolution") is None else "distinct",
        "delta": "changes",
        "capacity": "room",
        "io": "ok",
    }
    return Saving(world, session, inputs, args.get("id"))
