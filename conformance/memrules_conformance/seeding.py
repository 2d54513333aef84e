"""Records put into a target that cannot be seeded, through its own ``memory_save``.

A plain tool server gets as many checks as it can honestly have: a seed that says more than a save
can say (a revision, an owner, an archived record, a read time) stays ``unsupported``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .checks import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_spec import Rules

    from .checks import Door

SESSION = "seeding"

SAID = frozenset(
    {
        "title", "summary", "when", "body", "topicKey", "kind",
        "conditions", "applicability", "memoryClass", "evidenceRef",
    }
)  # fmt: skip
"""Fields that an argument of ``memory_save`` says as they are."""

GIVEN: Mapping[str, tuple[Any, ...]] = {
    "status": ("active",),
    "origin": ("user",),
    "reviewState": ("reviewed",),
    "revision": (1,),
    "relations": ([],),
    "bodyAt": ("hot",),
    "lastReadAt": (None,),
}
"""Fields that a save gives without being asked, and the values that it gives."""


def save_all(
    door: Door, rules: Rules, world: Mapping[str, Any], records: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return the id of each record that was saved, by its handle; raise Unsupported."""
    return {
        handle: _save(door, handle, arguments_of(handle, record, rules, world))
        for handle, record in records.items()
    }


def arguments_of(
    handle: str, record: Mapping[str, Any], rules: Rules, world: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of the save that says what a seed says; raise Unsupported."""
    project = {"id": "p1", "confirmed": True, **world.get("project", {})}
    now = {"now": 1_700_000_000_000, **world.get("clock", {})}["now"]
    layer = record.get("layer", "project")
    if layer == "project" and not project["confirmed"]:
        raise _too_much(handle, "layer", layer)
    if layer == "project" and rules.reading("lite", "project-proposal") != "followed":
        raise _too_much(handle, "layer", layer)
    owner = project["id"] if layer == "project" else None
    for name, value in record.items():
        if name in SAID or name == "layer" or value in GIVEN.get(name, ()):
            continue
        if name == "ownerProjectId" and value == owner:
            continue
        if name == "createdAt" and value == now:
            continue
        raise _too_much(handle, name, value)
    said = {name: value for name, value in record.items() if name in SAID and value is not None}
    return {**said, "scope": layer, "resolution": "distinct"}


def _save(door: Door, handle: str, arguments: Mapping[str, Any]) -> str:
    """Return the id that a save gave to a record; raise Unsupported if it did not store it so."""
    asked = {"op": "memory_save", "args": arguments, "as": SESSION}
    result = door.call("call", asked)["result"]
    if not result["changed"] or "scopeNote" in result or "evictionNote" in result:
        raise Unsupported(f"seed.records: its memory_save does not store {handle} as the seed says")
    return str(result["id"])


def _too_much(handle: str, name: str, value: object) -> Unsupported:
    return Unsupported(f"seed.records: no memory_save says {name} {value!r} of {handle}")
