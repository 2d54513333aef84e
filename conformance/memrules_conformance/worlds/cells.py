"""The cells of the machines, driven by operations, faults and clocks, never by setting a state."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Protocol

from memrules_conformance.checks import Check, Mismatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench
    from memrules_spec import Rules
    from memrules_spec.machines import Cell


class Driver(Protocol):
    """How one machine is brought into a state, given an event, and looked at."""

    machine: str
    area: str
    needs: frozenset[str]

    def why_not(self, state: str, event: str) -> str | None:
        """Return why no operation brings this event about in this state."""

    def also(self, state: str, event: str) -> frozenset[str]:
        """Return the capabilities that this cell needs beside those of all."""

    def enter(self, bench: Bench, state: str, event: str) -> None:
        """Open a world and bring the machine into a state."""

    def fire(self, bench: Bench, event: str) -> None:
        """Make the event happen; raise Mismatch where its answer is wrong."""

    def state(self, bench: Bench) -> str:
        """Return the state in which the machine is seen to be."""

    def decided(self, rules: Rules, cell: Cell) -> set[str]:
        """Return the next states of a cell that a table decides."""


def cell_checks(rules: Rules, drivers: tuple[Driver, ...]) -> Iterator[Check]:
    """Yield the check of every cell that can be brought about."""
    for driver in drivers:
        for (state, event), cell in rules.machines[driver.machine].cells.items():
            if cell.cannot or driver.why_not(state, event):
                continue
            yield Check(
                id=f"machine:{driver.machine}/{state}+{event}",
                area=driver.area,
                clauses=cell.clauses[:3],
                binding=cell.binding,
                level="default",
                kind="machine",
                run=_Cell(driver, state, event),
                needs=driver.needs | driver.also(state, event),
                name=f"{event} in {state} does what {driver.machine} says",
            )


class _Cell:
    """Drives one cell and compares the state afterwards."""

    def __init__(self, driver: Driver, state: str, event: str) -> None:
        self.driver = driver
        self.state = state
        self.event = event

    def __call__(self, bench: Bench) -> None:
        cell = bench.rules.machines[self.driver.machine].cells[self.state, self.event]
        driver = copy.copy(self.driver)  # it remembers ids, and cells run at the same time
        driver.enter(bench, self.state, self.event)
        before = driver.state(bench)
        if before != self.state:
            raise Mismatch("before", self.state, before, "the machine did not get there")
        driver.fire(bench, self.event)
        now = driver.state(bench)
        wanted = self._wanted(bench.rules, driver, cell)
        if now not in wanted:
            raise Mismatch(f"{self.event} in {self.state}", " or ".join(sorted(wanted)), now)

    def _wanted(self, rules: Rules, driver: Driver, cell: Cell) -> set[str]:
        """Return the next states that conform."""
        if cell.accept:
            return set(cell.accept)
        if cell.by:
            return driver.decided(rules, cell)
        return {to for _, to in cell.guards}


def unshown(rules: Rules, drivers: tuple[Driver, ...]) -> dict[str, dict[str, int]]:
    """Return for each machine how many cells nothing brings about, by reason."""
    found: dict[str, dict[str, int]] = {}
    for driver in drivers:
        reasons: dict[str, int] = {}
        for (state, event), cell in rules.machines[driver.machine].cells.items():
            if why := cell.cannot or driver.why_not(state, event):
                reasons[why] = reasons.get(why, 0) + 1
        found[driver.machine] = reasons
    return found


def call(bench: Bench, op: str, **args: Any) -> dict[str, Any]:
    """Return the result of an operation."""
    result: dict[str, Any] = bench.door.call("call", {"op": op, "args": args})["result"]
    return result


def stored(bench: Bench, id_: str) -> dict[str, Any] | None:
    """Return a record as the store holds it, or None."""
    records = bench.door.call("inspect", {"part": "records"})["records"]
    return next((entry for entry in records if entry["id"] == id_), None)


__all__ = ["Driver", "call", "cell_checks", "stored", "unshown"]
