"""Properties of random histories of writes, held against a model of a few lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.seeds import BUDGET, NOW

from .asking import Property

FIELDS = ("title", "summary", "when", "body")
NEEDS = frozenset({"lite.memory_save", "lite.memory_forget", "lite.memory_read", "inspect.records"})
LIMIT = 4096

_values = st.sampled_from(["", "x", "界" * 3, "a longer text of several words"])
_updates = st.dictionaries(st.sampled_from(FIELDS[1:]), _values, min_size=1)
_pick = st.integers(0, 5)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("new"), st.sampled_from(["x", "y" * LIMIT, "z" * (LIMIT + 1)])),
        st.tuples(st.just("update"), _pick, _updates),
        st.tuples(st.just("forget"), _pick),
        st.tuples(st.just("purge"), _pick),
        st.tuples(st.just("undo"), _pick, st.integers(-1, 1)),
        st.tuples(st.just("bad"), _pick),
    ),
    min_size=1,
    max_size=12,
)


@dataclass
class Model:
    """What must be stored: fields by id, who is archived, who is gone for good."""

    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    archived: set[str] = field(default_factory=set)
    purged: list[str] = field(default_factory=list)
    revisions: dict[str, int] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    def pick(self, place: int) -> str:
        """Return one of the ids that were ever issued, or one that never was."""
        return self.order[place % len(self.order)] if self.order else "mem_00000000unknown0"


class HistoriesKeepWhatTheySay(Property):
    """After every step of a history the store holds what the answers said, and nothing else."""

    clauses = ("LM-4.13", "LM-4.12", "LM-8.13")
    area = "save"
    needs = NEEDS
    count = 40

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw a history of writes."""
        return steps

    def holds(self, bench: Bench, example: Any) -> None:
        """Play the history and compare the store with the model after every step."""
        bench.open({"clock": {"mode": "manual", "now": NOW, "mono": 0}, "budget": BUDGET})
        model = Model()
        for number, step in enumerate(example):
            if step[0] == "undo" and not bench.supports("lite.panel_undo"):
                continue
            _play(bench, model, number, step)
            _compare(bench, model, f"after step {number} {step}")


def _call(bench: Bench, op: str, **args: Any) -> dict[str, Any]:
    result: dict[str, Any] = bench.door.call("call", {"op": op, "args": args})["result"]
    return result


def _play(bench: Bench, model: Model, number: int, step: tuple[Any, ...]) -> None:
    """Make one step, and the model say what must have come of it."""
    if step[0] == "new":
        said = _new(bench, model, number, step[1])
        _grown(model, number, said)
        return
    id_ = model.pick(step[1])
    moves: dict[str, Any] = {
        "update": _update, "bad": _bad, "forget": _forget, "purge": _purge, "undo": _undo,
    }  # fmt: skip
    _grown(model, number, moves[step[0]](bench, model, id_, *step[2:]), id_)


def _new(bench: Bench, model: Model, number: int, body: str) -> dict[str, Any]:
    """Save a new record, which is refused only for its length."""
    title = f"title {number}"
    args = {"title": title, "body": body, "scope": "project", "resolution": "distinct"}
    said = _expected(_call(bench, "memory_save", **args), changed=len(body.encode()) <= LIMIT)
    if said["changed"]:
        if said["id"] in model.order:
            raise Mismatch(f"step {number}", "an id of its own", said)
        model.records[said["id"]] = {"title": title, "summary": "", "when": "", "body": body}
        model.order.append(said["id"])
    return said


def _update(bench: Bench, model: Model, id_: str, fields: dict[str, str]) -> dict[str, Any]:
    """Update some fields of a record that must be live."""
    live = id_ in model.records and id_ not in model.archived
    differs = live and any(model.records[id_][key] != value for key, value in fields.items())
    bumps = live and bench.rules.reading("lite", "update-without-change") == "bumped"
    said = _expected(_call(bench, "memory_save", id=id_, **fields), changed=differs or bumps)
    if said["changed"]:
        model.records[id_] |= fields
    return said


def _bad(bench: Bench, _: Model, id_: str) -> dict[str, Any]:
    """Update with a condition that is none."""
    said = _call(bench, "memory_save", id=id_, conditions=[{"key": "weather", "value": "x"}])
    if bench.rules.reading("lite", "bad-conditions-on-save") == "refused":
        _expected(said, changed=False)
    return said


def _forget(bench: Bench, model: Model, id_: str) -> dict[str, Any]:
    """Archive a record that must be live."""
    live = id_ in model.records and id_ not in model.archived
    said = _expected(_call(bench, "memory_forget", id=id_), changed=live)
    model.archived |= {id_} if live else set()
    return said


def _purge(bench: Bench, model: Model, id_: str) -> dict[str, Any]:
    """Delete a record for good."""
    reaches = bench.rules.reading("lite", "purge-archived") == "allowed"
    there = id_ in model.records and (reaches or id_ not in model.archived)
    said = _expected(_call(bench, "memory_forget", id=id_, purge=True), changed=there)
    if said["changed"]:
        del model.records[id_]
        model.archived.discard(id_)
        model.purged.append(id_)
    return said


def _undo(bench: Bench, model: Model, id_: str, off_by: int) -> dict[str, Any]:
    """Undo by a revision that may be wrong; the model takes over what is allowed."""
    revision = model.revisions.get(id_, 1) + off_by
    said = _call(bench, "panel_undo", id=id_, revision=revision)
    if said["changed"] and (off_by or id_ in model.purged):
        raise Mismatch("undo", {"changed": False}, said, "another revision, or a purged id")
    if said["changed"]:
        stored = {r["id"]: r for r in bench.door.call("inspect", {"part": "records"})["records"]}
        if id_ not in stored:
            del model.records[id_]
            model.purged.append(id_)
        else:
            model.records[id_] = {key: stored[id_].get(key, "") for key in FIELDS}
            archived = stored[id_].get("status") == "archived"
            (model.archived.add if archived else model.archived.discard)(id_)
    return said


def _expected(said: dict[str, Any], *, changed: bool) -> dict[str, Any]:
    """Return an answer that says what it must of whether anything changed."""
    if said["changed"] is not changed:
        raise Mismatch("answer", {"changed": changed}, said)
    return said


def _grown(model: Model, number: int, said: dict[str, Any], id_: str = "") -> None:
    """Hold a revision that came back against the one before: they only grow."""
    if said["changed"]:
        id_ = said.get("id") or id_
        if said["revision"] <= model.revisions.get(id_, 0):
            raise Mismatch(f"step {number}", f"more than {model.revisions[id_]}", said["revision"])
        model.revisions[id_] = said["revision"]


def _compare(bench: Bench, model: Model, where: str) -> None:
    """Raise Mismatch unless the store holds exactly what the model says."""
    stored = bench.door.call("inspect", {"part": "records"})["records"]
    found = {
        entry["id"]: {
            **{key: entry.get(key, "") for key in FIELDS},
            "archived": entry.get("status") == "archived",
        }
        for entry in stored
    }
    wanted = {
        id_: {**fields, "archived": id_ in model.archived} for id_, fields in model.records.items()
    }
    if found != wanted:
        raise Mismatch(where, wanted, found)


RULES: tuple[Property, ...] = (HistoriesKeepWhatTheySay(),)
