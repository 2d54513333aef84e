"""Every operation that writes, with a world in which it changes something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memrules_conformance.worlds.seeds import NOW, record

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD = "old-marker-5c1e"
NEW = "new-marker-9d2b"


@dataclass(frozen=True, slots=True)
class Write:
    """One writing operation; ``args`` may hold ``{"$id": handle}``.

    ``clauses`` is what a crash in it decides, ``before`` are requests that its world needs;
    ``purges`` says that the old body must be nowhere once it has happened.
    """

    name: str
    op: str
    args: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    world: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    clauses: tuple[str, ...] = ("LM-4.58", "LM-4.82")
    needs: frozenset[str] = frozenset()
    purges: bool = False


def _live(**fields: Any) -> dict[str, Any]:
    """Return a live record of the project whose body is the old marker."""
    owned = {"layer": "project", "ownerProjectId": "p1", "title": "t", "body": OLD}
    return record(**{**owned, **fields})


def _archived(**fields: Any) -> dict[str, Any]:
    """Return an archived record whose body lies in cold storage."""
    return _live(status="archived", bodyAt="cold", **fields)


A = {"$id": "a"}
_FULL = {
    f"f{number}": record(
        layer="project", ownerProjectId="p1", title=f"title {number}", body=f"b{number}",
        createdAt=NOW - 10_000 + number,
    )
    for number in range(1000)
}  # fmt: skip
_COLD = frozenset({"seed.cold"})

WRITES = (
    Write("memory_save_new", "memory_save", {"title": "n", "body": NEW}),
    Write("memory_save_update", "memory_save", {"id": A, "body": NEW}, {"a": _live()}),
    Write("memory_save_makes_room", "memory_save",
          {"title": "n", "body": NEW, "resolution": "distinct"}, _FULL,
          clauses=("LM-4.75", "LM-4.64", "LM-4.82")),
    Write("memory_forget", "memory_forget", {"id": A}, {"a": _live()},
          clauses=("LM-4.75", "LM-10.6", "LM-4.82")),
    Write("memory_forget_purge", "memory_forget", {"id": A, "purge": True}, {"a": _live()},
          clauses=("LM-8.13", "LM-8.12", "LM-4.82"), purges=True),
    Write("purge_of_an_archived", "memory_forget", {"id": A, "purge": True}, {"a": _archived()},
          clauses=("LM-8.12", "LM-8.30", "LM-4.82"), needs=_COLD, purges=True),
    Write("panel_archive", "panel_archive", {"id": A}, {"a": _live()},
          clauses=("LM-10.6", "LM-4.75", "LM-4.82")),
    Write("panel_restore", "panel_restore", {"id": A}, {"a": _archived()},
          clauses=("LM-4.75", "LM-8.9", "LM-4.82"), needs=_COLD),
    Write("panel_move_to_global", "panel_move", {"id": A, "to": "global"}, {"a": _live()},
          clauses=("LM-4.75", "LM-1.9", "LM-4.82")),
    Write("panel_move_to_project", "panel_move", {"id": A, "to": "project"},
          {"a": record(title="t", body=OLD)}, clauses=("LM-4.75", "LM-1.9", "LM-4.82")),
    Write("panel_undo", "panel_undo", {"id": A, "revision": 2}, {"a": _live()},
          before=(("call", {"op": "memory_save", "args": {"id": A, "body": NEW}}),)),
    Write("panel_remove", "panel_remove", {"id": A, "confirm": True}, {"a": _live()},
          clauses=("LM-8.13", "LM-8.11", "LM-4.82"), purges=True),
    Write("panel_pick", "panel_pick", {"topicKey": "k", "id": A},
          {"a": _live(topicKey="k"), "b": _live(topicKey="k", title="u")}),
    Write("panel_remember", "panel_remember", {"id": A},
          {"a": _live(reviewState="legacy_unreviewed")}),
    Write("panel_quarantine", "panel_quarantine", {"id": A}, {"a": _archived()},
          before=(("fault", {"damage": {"cold": "a", "how": "flip"}}),),
          clauses=("LM-8.16", "LM-8.18", "LM-4.82"), needs=_COLD | {"damage"}),
    Write("panel_restore_cold", "panel_restore_cold", {"id": A}, {"a": _live(bodyAt="cold")},
          clauses=("LM-8.17", "LM-8.18", "LM-4.82"), needs=_COLD),
)  # fmt: skip
