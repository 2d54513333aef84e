"""State machines: every state and event has one cell, and every state can be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .readings import READING, readings_of, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .faults import Path


@dataclass(frozen=True, slots=True)
class Cell:
    """What one event does in one state under chosen readings.

    ``guards`` give the next state by their inputs; ``by`` names the table that decides instead,
    and ``map`` what its outcomes mean here; ``cannot`` says why the event does not arise there.
    ``accept`` are the next states that conform where the cell is open.
    """

    state: str
    event: str
    guards: tuple[tuple[Mapping[str, frozenset[str]], str], ...]
    by: str | None
    map: Mapping[str, str]
    cannot: str | None
    accept: tuple[str, ...]
    binding: str
    clauses: tuple[str, ...]

    def next_state(self, inputs: Mapping[str, str]) -> str:
        """Return the next state; a cell that a table decides has none of its own."""
        for when, to in self.guards:
            if all(inputs[name] in values for name, values in when.items()):
                return to
        message = f"({self.state}, {self.event}) has no next state of its own"
        raise LookupError(message)


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine under chosen readings; ``events`` maps each event to what causes it."""

    id: str
    title: str
    initial: str
    states: tuple[str, ...]
    events: Mapping[str, str]
    inputs: Mapping[str, tuple[str, ...]]
    cells: Mapping[tuple[str, str], Cell]
    readings: tuple[str, ...]
    file: str


def machine_of(source: Mapping[str, Any], chosen: Mapping[str, str | int], file: str) -> Machine:
    """Return the machine that a valid file describes, under the chosen readings."""
    cells = {
        (state, entry["event"]): _cell(entry, state, chosen)
        for entry in source["cells"]
        for state in entry["from"]
    }
    return Machine(
        id=f"{source['family']}/{source['id']}",
        title=source["title"],
        initial=source["initial"],
        states=tuple(source["states"]),
        events=source["events"],
        inputs={name: tuple(domain) for name, domain in source.get("inputs", {}).items()},
        cells=cells,
        readings=tuple(sorted(readings_of(source))),
        file=file,
    )


def machine_faults(source: Mapping[str, Any], tables: frozenset[str]) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with the cells of a machine whose form is valid."""
    if source["initial"] not in source["states"]:
        yield ("initial",), f"{source['initial']!r} is not a state"
    seen: dict[tuple[str, str], int] = {}
    for place, cell in enumerate(source["cells"]):
        for inner, message in _cell_faults(source, cell, tables):
            yield ("cells", place, *inner), message
        for state in cell["from"]:
            first = seen.setdefault((state, cell["event"]), place)
            if first != place:
                yield (
                    ("cells", place),
                    f"({state}, {cell['event']}) stands already in cells[{first}]",
                )
    for state in source["states"]:
        for event in source["events"]:
            if (state, event) not in seen:
                yield ("cells",), f"({state}, {event}) has no cell"
    yield from _unreached(source)


def _cell_faults(
    source: Mapping[str, Any], cell: Mapping[str, Any], tables: frozenset[str]
) -> Iterator[tuple[Path, str]]:
    """Yield the names in a cell that are none of the machine's or the family's."""
    if cell["event"] not in source["events"]:
        yield ("event",), f"{cell['event']!r} is not an event of this machine"
    for state in cell["from"]:
        if state not in source["states"]:
            yield ("from",), f"{state!r} is not a state"
    for state in _targets(cell):
        if state not in (*source["states"], "same"):
            yield (), f"the next state {state!r} is not a state"
    if "by" in cell and cell["by"] not in tables:
        yield ("by",), f"{cell['by']!r} is not a table of this family"


def _unreached(source: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the states to which no cell leads."""
    reached = {source["initial"]}
    grown = True
    while grown:
        found = {
            state
            for cell in source["cells"]
            if reached.intersection(cell["from"])
            for state in _targets(cell)
            if state != "same"
        }
        grown = not found <= reached
        reached |= found
    for state in source["states"]:
        if state not in reached:
            yield ("states",), f"no event leads to {state}"


def _targets(cell: Mapping[str, Any]) -> list[str]:
    """Return every next state that a cell names under any reading."""
    found: list[str] = list(cell.get("accept", ()))
    ends = [cell["to"]] if "to" in cell else [guard["to"] for guard in cell.get("guards", ())]
    for end in ends:
        if isinstance(end, dict):
            found += end.get("of", {}).values()
        else:
            found.append(end)
    found += cell.get("map", {}).values()
    return found


def _cell(entry: Mapping[str, Any], state: str, chosen: Mapping[str, str | int]) -> Cell:
    """Return the cell of one state under the chosen readings."""

    def real(to: Any) -> str:
        name = str(resolve(to, chosen))
        return state if name == "same" else name

    guards: list[tuple[Mapping[str, frozenset[str]], str]] = []
    if "to" in entry:
        guards.append(({}, real(entry["to"])))
    for guard in entry.get("guards", ()):
        when = guard["when"]
        if all(
            chosen[n.removeprefix(READING)] in v for n, v in when.items() if n.startswith(READING)
        ):
            free = {n: frozenset(v) for n, v in when.items() if not n.startswith(READING)}
            guards.append((free, real(guard["to"])))
    return Cell(
        state=state,
        event=entry["event"],
        guards=tuple(guards),
        by=entry.get("by"),
        map={value: real(to) for value, to in entry.get("map", {}).items()},
        cannot=entry.get("cannot"),
        accept=tuple(real(to) for to in entry.get("accept", ())),
        binding=entry["binding"],
        clauses=tuple(entry["clauses"]),
    )
