"""From a row of a table to worlds, calls and what must come back: the check of one row by a door.

``build`` turns a combination into a :class:`Scene`, or says why no world can show it; ``expect``
turns an outcome into what the entry point must answer.  Scenes with one moment share a store.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from memrules_conformance.checks import Bench, Check, Mismatch
from memrules_spec.proofs import Space, regions

from .areas import area_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memrules_spec import Rules, Table

    Combination = Mapping[str, Any]

Found = TypeVar("Found")

DRAWN_BEFORE = 4
"""Combinations for each world that is drawn, since several may build the same one."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What shows one combination.

    ``moment`` are the keys of the world but for the records; ``records`` go into its store under
    names that the scene makes its own with ``name``; ``before`` are requests (method, params) that
    the moment needs once; ``prepare`` are those of this scene before its call, ``look`` those
    after it; ``args`` may hold ``{"$id": handle}``.  ``alone`` gives the scene a store of its own.
    """

    op: str
    args: Mapping[str, Any]
    moment: Mapping[str, Any] = field(default_factory=dict)
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    before: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    prepare: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    look: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    alone: bool = False
    method: str = "call"

    @property
    def text(self) -> str:
        """The whole scene as canonical text: equal scenes have equal texts."""
        parts = (self.op, self.args, self.moment, self.records, self.before, self.prepare)
        return _text(parts)


@dataclass(frozen=True, slots=True)
class Cannot:
    """Why no world can show a combination."""

    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from one call, and what the scene was made of."""

    result: Mapping[str, Any]
    text: str
    ids: Mapping[str, str]
    reply: Mapping[str, Any]
    seen: tuple[Mapping[str, Any], ...] = ()


class Entry(Protocol):
    """One entry point that shows the rows of one table."""

    table: str
    name: str
    needs: frozenset[str]

    def build(self, combination: Combination) -> Scene | Cannot:
        """Return the scene of a combination, its handles unique only within itself."""

    def judge(
        self, rules: Rules, combination: Combination, answer: Answer
    ) -> tuple[object, object] | None:
        """Return (expected, actual) where the answer is none that conforms, else None."""


def row_check(entry: Entry, rules: Rules, row: str) -> Check:
    """Return the check that a row holds through an entry point, wherever it decides."""
    decision = next(r.decision for r in rules.tables[entry.table].rows if r.id == row)

    def run(bench: Bench) -> None:
        Stage(bench, entry).play(combinations_of(bench.rules.tables[entry.table], row, entry))

    return Check(
        id=f"table:{entry.table}/{row}@{entry.name}",
        area=area_of(entry.table),
        clauses=decision.clauses[:3],
        binding=decision.binding,
        level=getattr(entry, "level", "default"),
        kind="vector",
        run=run,
        needs=entry.needs,
        name=f"row {row} of {entry.table} holds in {entry.name}",
    )


def combinations_of(table: Table, row: str, entry: Entry) -> Iterator[dict[str, Any]]:
    """Yield every combination that a row decides, of the purposes that an entry point has."""
    space = _space(tuple(table.inputs.items()))
    bits = regions(table, space).get(row, 0)
    if purposes := getattr(entry, "purposes", ()):
        bits &= space.matching({"purpose": frozenset(purposes)})
    yield from space.combinations(bits)


@lru_cache
def _space(inputs: tuple[tuple[str, tuple[Any, ...]], ...]) -> Space:
    """Return the space of some inputs, which is dear to make and never changes."""
    return Space(dict(inputs))


class Stage:
    """Plays combinations against a target: one store a moment, equal worlds once."""

    def __init__(self, bench: Bench, entry: Entry) -> None:
        self.bench = bench
        self.entry = entry
        self.worlds = 0

    def play(self, combinations: Iterator[Combination]) -> None:
        """Ask every combination; raise Mismatch with the first that differs and how many do."""
        found = distinct(self.entry, drawn(self.bench, list(combinations), DRAWN_BEFORE))
        most = 1 if self.bench.hasty else None
        wrong = list(itertools.islice(self._differences(drawn(self.bench, found)), most))
        if wrong:
            combination, expected, actual = wrong[0]
            shown = ", ".join(f"{name}={value}" for name, value in combination.items())
            note = f"{len(wrong)} of {self.worlds} worlds differ; the first: {shown}"
            raise Mismatch(self.entry.name, expected, actual, note)

    def _differences(
        self, scenes: Iterable[tuple[Combination, Scene]]
    ) -> Iterator[tuple[Combination, object, object]]:
        """Yield each combination whose answer does not conform, with expected and actual."""
        for group in moments(scenes):
            for combination, answer in self._moment(group):
                differs = self.entry.judge(self.bench.rules, combination, answer)
                if differs is not None:
                    yield combination, *differs

    def _moment(
        self, scenes: Sequence[tuple[Combination, Scene]]
    ) -> Iterator[tuple[Combination, Answer]]:
        """Open one store for scenes that share a moment, and yield the answer to each."""
        records = {
            f"s{number}.{handle}": _own(record, number)
            for number, (_, scene) in enumerate(scenes)
            for handle, record in scene.records.items()
        }
        world = dict(scenes[0][1].moment)
        world["seed"] = {**world.get("seed", {}), "records": records}
        ids = self.bench.open(world)
        saved: dict[str, Any] = {}
        for method, params in scenes[0][1].before:
            saved.update(self.bench.door.call(method, params) or {})
        for number, (combination, scene) in enumerate(scenes):
            mine = {h: ids[f"s{number}.{h}"] for h in scene.records}
            for method, params in scene.prepare:
                done = self.bench.door.call(method, _real(params, mine, saved, number)) or {}
                saved.update(done.get("result", done))
            yield combination, self._answer(scene, mine, saved, number)

    def _answer(
        self, scene: Scene, ids: Mapping[str, str], saved: Mapping[str, Any], number: int
    ) -> Answer:
        """Make the call of a scene and look at what it asks to see afterwards."""
        params = _real(scene.args, ids, saved, number)
        if scene.method == "call":
            params = {"op": scene.op, "args": params}
        reply = self.bench.door.call(scene.method, params)
        self.worlds += 1
        seen = tuple(
            self.bench.door.call(method, _real(params, ids, saved, number))
            for method, params in scene.look
        )
        result = {k: v for k, v in reply.get("result", reply).items() if k != "message"}
        return Answer(result, reply.get("text", ""), ids, reply, seen)


def drawn(bench: Bench, found: list[Found], times: int = 1) -> list[Found]:
    """Return what is asked of what was found, in its order: ``times`` as much as worlds."""
    most = bench.most_worlds
    if most is None or len(found) <= most * times:
        return found
    places = random.Random(bench.seed).sample(range(len(found)), most * times)  # noqa: S311 a draw
    return [found[place] for place in sorted(places)]


def distinct(entry: Entry, combinations: Iterable[Combination]) -> list[tuple[Combination, Scene]]:
    """Return the scenes of combinations, equal scenes once."""
    found: dict[str, tuple[Combination, Scene]] = {}
    for combination in combinations:
        scene = entry.build(combination)
        if not isinstance(scene, Cannot):
            found.setdefault(scene.text, (combination, scene))
    return list(found.values())


def moments(
    scenes: Iterable[tuple[Combination, Scene]],
) -> Iterator[list[tuple[Combination, Scene]]]:
    """Yield scenes by the moment that they share."""
    groups: dict[str, list[tuple[Combination, Scene]]] = defaultdict(list)
    for combination, scene in scenes:
        moment = scene.text if scene.alone else _text([scene.moment, scene.before])
        groups[moment].append((combination, scene))
    yield from groups.values()


def shown(
    table: Table, build: Callable[[Combination], Scene | Cannot]
) -> tuple[int, dict[str, int]]:
    """Return how many worlds show a table, and what none can show, by reason."""
    seen: set[str] = set()
    not_shown: dict[str, int] = defaultdict(int)
    for combination in table.combinations():
        scene = build(combination)
        if isinstance(scene, Cannot):
            not_shown[scene.why] += 1
        else:
            seen.add(scene.text)
    return len(seen), dict(not_shown)


def _own(record: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a record whose ``{n}`` is the number of its scene, so that scenes stay apart."""
    own: dict[str, Any] = _fill(record, number)
    if "relations" in own:
        own["relations"] = [{**r, "to": f"s{number}.{r['to']}"} for r in own["relations"]]
    return own


def _fill(value: Any, number: int) -> Any:
    """Return a value with ``{n}`` in its texts replaced by the number of the scene."""
    if isinstance(value, str):
        return value.replace("{n}", str(number))
    if isinstance(value, dict):
        return {key: _fill(inner, number) for key, inner in value.items()}
    if isinstance(value, list):
        return [_fill(inner, number) for inner in value]
    return value


def _real(value: Any, ids: Mapping[str, str], saved: Mapping[str, Any], number: int) -> Any:
    """Return params with ids of handles, saved answers and the number of the scene in place."""
    if isinstance(value, dict):
        if "$id" in value:
            return ids[value["$id"]]
        if "$saved" in value:
            return saved[value["$saved"]]
        if "$handle" in value:
            return f"s{number}.{value['$handle']}"
        return {key: _real(inner, ids, saved, number) for key, inner in value.items()}
    if isinstance(value, list):
        return [_real(inner, ids, saved, number) for inner in value]
    return _fill(value, number)


def _text(value: Any) -> str:
    """Return a value as canonical text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
