"""Section 三: memory_search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import budgets
from .citations import cite, explain
from .contexts import requested
from .gate import owner_of
from .replies import Reply, said
from .uses import note_sight
from .words import score, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .records import Record
    from .world import Found, Session, World

_DIMENSIONS = {"column": "columns", "taskKind": "taskKinds", "seriesId": "seriesIds"}


@dataclass(frozen=True, slots=True)
class _Matches:
    """The usable matches in rank order, and what the gate says of the others."""

    usable: tuple[Record, ...]
    blocked: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The input ``matches`` of search_result."""
        if self.usable:
            return "some_ok"
        kinds = set(self.blocked) - {"gone"}  # LM-9.2: what is gone is no match
        if not kinds:
            return "none"
        return f"all_{kinds.pop()}" if len(kinds) == 1 else "mixed_blocked"


def search(world: World, session: Session, args: Mapping[str, Any]) -> Reply:
    """Return ``{status, reasonCode?, results}``."""
    context, own = requested(world, args)
    scope = _scope(world, args)
    switch = world.switched(session)
    found = _Matches((), ())
    if switch == "on" and scope != "call_unregistered":  # LM-3.7, LM-3.9
        found = _matches(world, args.get("query"), own)
    fitting = _fitting(world, session, found.usable)
    outcome = world.ruling.decide(
        "search_result",
        switch=switch,
        context=context,
        scope=scope,
        matches=found.kind,
        budget=_budget(world, session, fitting, found),
    )
    if outcome["status"] != "ok" or outcome["reasonCode"] != "absent":
        return _empty(world, session, outcome)
    shown = {entry["id"] for entry in fitting}
    for record in found.usable:
        if record.id in shown:
            note_sight(world, record)
    return _delivered(world, session, outcome, fitting)


def _scope(world: World, args: Mapping[str, Any]) -> str:
    """Return whether every dimension of the call and of the routed context is registered."""
    for key, registered in _DIMENSIONS.items():
        value = args.get(key)
        if value is not None and value not in world.registry.get(registered, ()):
            return "call_unregistered"  # LM-3.8
    context = world.routed()
    for key, registered in _DIMENSIONS.items():
        value, place = context.value(key)
        if place != "nowhere" and value not in world.registry.get(registered, ()):
            return "routed_unregistered"  # LM-3.56
    return "none_or_registered"


def _matches(world: World, query: Any, own: Mapping[str, Any]) -> _Matches:
    """Return the records of the visible layers that hold a word of the query (LM-3.10).

    What is no text has no words.
    """
    asked = words(query) if isinstance(query, str) else frozenset()
    runtime = world.judged_in(world.routed(own))
    usable: list[tuple[float, Record]] = []
    blocked: list[str] = []
    for found in once(world.visible()):
        record = found.record
        share = score(asked, matchable(record))
        if not share:
            continue
        status = world.judge(record, "search", own)
        if status == "ok":  # LM-1.22, LM-3.11
            usable.append((share, record))
        elif not record.archived and owner_of(record, runtime) in ("unset", "match"):
            blocked.append(status)  # LM-3.29: archived and foreign records are no matches
    ranked = sorted(usable, key=lambda pair: (-pair[0], -(pair[1].updated_at or 0), pair[1].id))
    return _Matches(tuple(record for _, record in ranked), tuple(blocked))


def matchable(record: Record) -> str:
    """Return the texts that take part in retrieval; ``kind`` does not (LM-4.26)."""
    return "\n".join(t for t in (record.title, record.summary, record.when, record.body) if t)


def once(found: Iterable[Found]) -> Iterable[Found]:
    """Yield each live id once, a project's copy before the global one, and all that is archived.

    What is gone hides nothing; that it is gone is for the gate to say.
    """
    seen: set[str] = set()
    for one in found:
        if one.record.id not in seen:
            if not one.record.archived:
                seen.add(one.record.id)
            yield one


def _entry(record: Record) -> dict[str, str]:
    """Return what a search delivers of a record."""
    return {
        "id": record.id,
        "title": record.title or "",
        "summary": record.summary or "",
        "when": record.when or "",
    }


def rendered(entries: Sequence[Mapping[str, str]]) -> str:
    """Return entries as the model reads them; the text that the budget measures (LM-10.8)."""
    return "\n\n".join(
        "\n".join(
            line
            for line in (f"[{entry['id']}] {entry['title']}", entry["summary"], entry["when"])
            if line
        )
        for entry in entries
    )


def _fitting(world: World, session: Session, usable: Sequence[Record]) -> list[dict[str, str]]:
    """Return the entries that reads and bytes have room for, whole or not at all (LM-3.31)."""
    entries: list[dict[str, str]] = []
    for record in usable:
        if not budgets.fits(world, session, reads=len(entries) + 1):
            break  # LM-3.15
        with_it = [*entries, _entry(record)]
        if budgets.fits(world, session, bytes=len(rendered(with_it).encode())):  # LM-3.16
            entries = with_it
        elif world.ruling.reading("byte-reduction") == "drop_tail":
            break  # LM-3.57
    return entries


def _budget(world: World, session: Session, fitting: Sequence[Any], matches: _Matches) -> str:
    """Return the input ``budget``: with nothing to deliver, whether anything would fit."""
    if not matches.usable:
        return "all_fit" if budgets.fits(world, session, reads=1) else "none_fit"
    if not fitting:
        return "none_fit"
    return "all_fit" if len(fitting) == len(matches.usable) else "some_fit"


def _result(outcome: Mapping[str, Any], entries: list[dict[str, str]]) -> dict[str, Any]:
    """Return the result that an outcome stands for."""
    result: dict[str, Any] = {"status": outcome["status"]}
    if outcome["reasonCode"] != "absent":
        result["reasonCode"] = outcome["reasonCode"]
    return {**result, "results": entries}


def _empty(world: World, session: Session, outcome: Mapping[str, Any]) -> Reply:
    """Return an answer without results, which always says why (LM-10.12)."""
    reason = outcome["reasonCode"] if outcome["reasonCode"] != "absent" else outcome["status"]
    code = outcome["sentence"] if outcome["sentence"] != "absent" else reason
    explain(session, "hits", str(reason))
    return said(_result(outcome, []), str(code), world.ruling)


def _delivered(
    world: World, session: Session, outcome: Mapping[str, Any], entries: list[dict[str, str]]
) -> Reply:
    """Return an answer with results, and account for what it delivers (LM-1.27)."""
    text = rendered(entries)
    budgets.charge(session, reads=len(entries), bytes=len(text.encode()))
    for entry in entries:
        cite(session, "hits", entry)
    result = _result(outcome, entries)
    if outcome["sentence"] != "absent":
        return said(result, str(outcome["sentence"]), world.ruling, text)
    return Reply(result, text)
