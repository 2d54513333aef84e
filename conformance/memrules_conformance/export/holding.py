"""What holds when the steps of an exported case are done: of the records, and of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.fixtures.records import TIMES
from memrules_conformance.fixtures.values import ABSENT

from .values import settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memrules_conformance.fixtures import Case
    from memrules_conformance.fixtures.values import Names

READ_ONLY = frozenset(
    {
        "memory_search", "memory_read", "tools", "entries", "panel_list", "panel_show",
        "panel_open_citation", "panel_citations", "panel_receipts",
    }
)  # fmt: skip
"""Operations that change no record whatever they answer."""


def records_then(
    case: Case, world: Mapping[str, Any], names: Names, *, files: bool
) -> dict[str, Any] | None:
    """Return every record that there is afterwards, or None where that is left open.

    ``optional`` marks what a case does not write down: it is looked at only where the target
    claims ``inspect.records``.
    """
    written = case.then.get("records")
    if written is None and (files or _may_change(case)):
        return None
    seeds = world.get("seed", {}).get("records", {})
    named = written if isinstance(written, dict) else {}
    hidden = {s["fault"]["damage"]["cold"] for s in case.steps if "damage" in s.get("fault", {})}
    kept = [
        _record(handle, seed, named.get(handle, {}), names, hidden=handle in hidden)
        for handle, seed in seeds.items()
        if named.get(handle) != "$gone"
    ]
    new = [_present(settled(fields, names)) for fields in named.get("$new", [])]
    return {"kept": kept, "new": new} | ({} if written is not None else {"optional": True})


def files_then(case: Case, seeded: Mapping[str, str], names: Names) -> dict[str, Any] | None:
    """Return the files that are there afterwards in base64, null for one that is gone."""
    wanted = case.then.get("files")
    if wanted is None:
        return None
    content = {
        name: None if what == "$gone" else seeded[name]
        for name, what in wanted.items()
        if name != "$lacks"
    }
    return {"content": content, "lacks": settled(wanted.get("$lacks", []), names)}


def _record(
    handle: str, seed: Mapping[str, Any], fields: Mapping[str, Any], names: Names, *, hidden: bool
) -> dict[str, Any]:
    """Return a record as it is afterwards, and which of its fields are not compared."""
    own = {"$id": handle}
    relations = [{**r, "to": {"$id": r["to"]}} for r in seed.get("relations", [])]
    linked = {"relations": relations} if relations else {}
    wanted = _present({**seed, "id": own, **linked, **settled(fields, names)})
    unseen = {*TIMES} | ({"previous"} - set(fields))
    if "status" in fields and wanted.get("status") == "archived":
        unseen |= {"bodyAt", "body"} - set(fields)  # it may lie anywhere
    if hidden or (wanted.get("bodyAt") == "cold" and "body" not in fields):
        unseen.add("body")
    record = {name: value for name, value in wanted.items() if name not in unseen}
    return {"record": record, "ignore": sorted(unseen)}


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a record has, null where it is as good as absent."""
    return {name: None if value == ABSENT else value for name, value in fields.items()}


def _may_change(case: Case) -> bool:
    """Tell whether a step may change a record although its answer is as expected."""
    return any(
        "kill" in step
        or ("call" in step and step["call"] not in READ_ONLY and not _says_no(step.get("expect")))
        for step in _flat(case.steps)
    )


def _says_no(expected: Any) -> bool:
    """Tell whether only answers that change nothing are as expected."""
    return isinstance(expected, dict) and (
        expected.get("changed") is False or expected.get("accepted") is False
    )


def _flat(steps: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every step, those of lanes too."""
    for step in steps:
        yield step
        for lane in step.get("parallel", ()):
            yield from _flat(lane)
