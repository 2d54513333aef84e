"""Section 二: what a human turn brings into the context by itself.

One pass a turn: candidates of one generation, admitted whole, charged, looked at once more, and
published together or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .cards import EXPERIMENTAL, ORDINARY, Card, layout
from .citations import cite_record
from .search import matchable, once
from .slots import silenced
from .store import ColdError
from .uses import note_sight
from .words import score, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .records import Record
    from .store import Scope
    from .world import Found, Session, World

_PURPOSES = {ORDINARY: "inject", EXPERIMENTAL: "experiment"}
_ENDS = " \t\r\n，。！？、；：,.!?;:…~\uff5e"


@dataclass(frozen=True, slots=True)
class _Start:
    """What a pass began with; what differs at its end makes it stale."""

    mono: int
    switches: int
    generations: Mapping[Scope, int]


def turn(world: World, session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``{outcome, injected: {text, cards}}``; a fresh human message begins a turn."""
    phase = params.get("phase", "first_preparation_of_turn")
    grew = params.get("humans", "grew") == "grew"
    if grew and phase == "first_preparation_of_turn":
        world.begin_turn(session)
        _remember(world, session, params["text"])
    elif world.ruling.reading("request-budget-span") == "model_request":
        world.begin_request(session)
    said = world.ruling.decide(
        "inject_trigger",
        switch=world.switches["memory"],
        recall_mode="adaptive" if world.switches["recall"] == "adaptive" else "other",
        fresh_humans="grew" if grew else "same",
        phase=phase,
    )
    return _pass(world, session) if said["pass"] else _outcome("none")


def _outcome(name: str, text: str = "", cards: Sequence[Card] = ()) -> dict[str, Any]:
    named = [{"id": card.record.id, "segment": card.segment} for card in cards]
    return {"outcome": name, "injected": {"text": text, "cards": named}}


def _remember(world: World, session: Session, text: str) -> None:
    """Keep what the human said as the query; a continuation keeps what was said before."""
    phrases = str(world.ruling.reading("continuation-phrases")).split(", ")
    if text.strip(_ENDS).casefold() not in phrases:  # LM-2.19, LM-2.21
        session.said = session.last = text
    elif world.ruling.reading("continuation-chain") == "last_real_wording":
        session.said = session.last
    else:  # the message before this one, which has no search terms if it was a continuation too
        session.said, session.last = session.last, ""


def _pass(world: World, session: Session) -> dict[str, Any]:
    """Run one pass; one that fails on the way publishes nothing and gives its budget back."""
    try:
        return _prepared(world, session)
    except OSError:
        return _rolled_back(session)


def _rolled_back(session: Session) -> dict[str, Any]:
    session.ledger.cards = session.ledger.injected_bytes = 0  # LM-2.37
    return _outcome("rolled_back")


def _prepared(world: World, session: Session) -> dict[str, Any]:
    """Return the outcome of a pass: project, admit, charge, look again, publish."""
    world.cancelled = False
    start = _Start(world.clock.mono(), world.switch_changes, _generations(world))
    candidates = _candidates(world, session.said)
    world.points.reach("recall.projected")
    cards, text = _admitted(world, candidates)
    world.points.reach("recall.admitted")
    if not cards:
        return _outcome("rolled_back" if _stale(world, start) else "empty")  # LM-2.40, LM-2.42
    ledger = session.ledger
    ledger.cards, ledger.injected_bytes = len(cards), len(text.encode())  # LM-1.27
    world.points.reach("recall.charged")
    if _stale(world, start):
        return _rolled_back(session)
    world.points.reach("recall.published")  # LM-2.44: nothing takes it back from here on
    if world.ruling.reading("injected-cards-cited") == "listed":
        for card in cards:
            cite_record(session, "bodies", card.record)  # LM-2.46
    for card in cards:
        note_sight(world, card.record)
    return _outcome("published", text, cards)


def _generations(world: World) -> dict[Scope, int]:
    """Return the generations whose change makes a batch stale (LM-2.36)."""
    every = world.ruling.reading("generation-scope") == "any_layer"
    scopes = {*world.scopes, *world.store.scopes()} if every else world.scopes
    return {scope: world.store.read(scope).generation for scope in scopes}


def _stale(world: World, start: _Start) -> bool:
    """Tell whether the whole batch is to be rolled back (LM-2.33 to LM-2.36, LM-2.39)."""
    elapsed = world.clock.mono() - start.mono
    exactly = elapsed == world.ruling.number("recall-deadline-ms")
    late = world.ruling.decide(
        "recall_deadline", elapsed=elapsed, exactly="yes" if exactly else "no"
    )
    return (
        late["batch"] == "late"
        or world.cancelled
        or world.switch_changes != start.switches
        or _generations(world) != start.generations
    )


def _candidates(world: World, query: str) -> list[Card]:
    """Return the cards that may be shown, in the order in which the ledger is asked."""
    asked = words(query)
    once = list(_once(world, world.visible()))
    matching = [found for found in once if score(asked, matchable(found.record))]
    judged = once if world.ruling.reading("slot-members") == "all_records" else matching
    silent = silenced(world, [found.record for found in judged])
    segments = {
        segment: [
            found
            for found in matching
            if (found.scope, found.record.id) not in silent
            and world.judge(found.record, purpose) == "ok"  # LM-1.21
        ]
        for segment, purpose in _PURPOSES.items()
    }
    order = [ORDINARY, EXPERIMENTAL]
    if world.ruling.reading("ledger-order") == "experimental_first":
        order.reverse()  # LM-2.22
    return [
        card
        for segment in order
        for found in sorted(segments[segment], key=lambda found: _rank(asked, found.record))
        for card in _card(world, found, segment)
    ]


def _rank(asked: frozenset[str], record: Record) -> tuple[float, int, str]:
    return -score(asked, matchable(record)), -(record.updated_at or 0), record.id


def _once(world: World, found: Iterable[Found]) -> Iterable[Found]:
    """Return each id once, a project's copy before the global one (LM-2.8)."""
    if world.ruling.reading("archived-project-copy") == "no_shadow":
        return once(found)
    first: dict[str, Found] = {}
    for one in found:
        first.setdefault(one.record.id, one)
    return first.values()


def _card(world: World, found: Found, segment: str) -> list[Card]:
    """Return the card of a record, or none where its cold body cannot be had."""
    try:
        body = world.store.body(found.scope, found.record)
    except ColdError:
        return []
    return [Card(found.record, body, segment)]


def _admitted(world: World, candidates: Sequence[Card]) -> tuple[list[Card], str]:
    """Return the cards that fit, and their text: one ledger for both segments (LM-2.22)."""
    cards: list[Card] = []
    text = ""
    for card in candidates:
        with_it = layout([*cards, card], world.ruling)
        said = world.ruling.decide("admission", cards=len(cards) + 1, bytes=len(with_it.encode()))[
            "card"
        ]
        if said == "stop":
            break
        if said == "admit":
            cards, text = [*cards, card], with_it
    return cards, text
