"""Crashes and I/O errors at every point of every write, each shown to have landed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memrules_conformance.checks import BrokeProtocol, Check, Mismatch, Reached

from .stage import Stage
from .writes import WRITES, Write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench

    from .stage import State

NEEDS = frozenset(
    {"seed.records", "inspect.records", "inspect.slots", "lite.memory_save", "lite.memory_read"}
)
ERRORS = ("EIO", "ENOSPC")
LATEST = 200


def crash_checks() -> Iterator[Check]:
    """Yield, for each write, a check of its crashes and one of its I/O errors."""
    for write in WRITES:
        needs = NEEDS | write.needs | {f"lite.{write.op}"}
        yield Check(
            id=f"durability:lite/{write.name}/crash",
            area="durability",
            clauses=write.clauses,
            binding="strict",
            level="long",
            kind="durability",
            run=_Crashes(write),
            needs=needs | {"stop_at"},
            name=f"a crash at any point of {write.name} leaves the old state or the new one",
        )
        yield Check(
            id=f"durability:lite/{write.name}/io",
            area="durability",
            clauses=_io_clauses(write),
            binding="strict",
            level="long",
            kind="durability",
            run=_Errors(write),
            needs=needs | {"stop_at", "fail_at"},
            name=f"an I/O error at any point of {write.name} leaves no half of it",
        )


def _io_clauses(write: Write) -> tuple[str, ...]:
    """Return what an I/O error decides: rolling back, on each of the ways to the disk."""
    if write.op in ("memory_save", "panel_pick"):
        return ("LM-10.5", "LM-4.59", "LM-4.60")
    if write.op in ("panel_undo", "panel_remember"):
        return ("LM-10.4", "LM-4.59", "LM-4.60")
    return ("LM-4.59", "LM-10.4", "LM-4.60")


def points_of(stage: Stage) -> tuple[list[tuple[str, int]], State]:
    """Return the points that the write passes, in order, and the state after it.

    Raises BrokeProtocol where a write that changes something passes no point.
    """
    stage.set_up()
    door = stage.bench.door
    door.call("fault", {"stop_at": "*"})
    number = door.begin(*stage.call())
    points: list[tuple[str, int]] = []
    while isinstance(there := door.outcome(number), Reached):
        points.append((there.point, there.n))
        if len(points) > LATEST:
            raise BrokeProtocol(f"{stage.write.name} passes more than {LATEST} points")
        door.call("resume", {})
    if there["result"].get("changed") is not True:
        raise Mismatch(stage.write.name, {"changed": True}, there["result"])
    if not points:
        raise BrokeProtocol(f"{stage.write.name} changed something and passed no point")
    return points, stage.state()


class _Crashes:
    """Kills the target at each point of a write and looks at what a new one finds."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def __call__(self, bench: Bench) -> str:
        stage = Stage(bench, self.write)
        points, after = points_of(stage)
        for point, n in points:
            where = f"{self.write.name} killed at {point}#{n}"
            before = stage.set_up()
            bench.door.call("fault", {"stop_at": f"{point}#{n}"})
            landed = bench.door.outcome(bench.door.begin(*stage.call()))
            if not isinstance(landed, Reached):
                raise BrokeProtocol(f"{where}: the armed stop never fired")
            bench.kill()
            bench.reopen()
            stage.judge_reopened(before, after, where)
        return f"{len(points)} stops, all landed"


class _Errors:
    """Lets each point of a write fail with an I/O error and looks at what is left."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def __call__(self, bench: Bench) -> str:
        stage = Stage(bench, self.write)
        points, after = points_of(stage)
        count = 0
        for point, n in points:
            for error in ERRORS:
                where = f"{self.write.name} with {error} at {point}#{n}"
                before = stage.set_up()
                bench.door.call("fault", {"fail_at": f"{point}#{n}", "error": error, "times": 1})
                said = bench.door.call(*stage.call())["result"]
                wanted = after if said.get("changed") else before
                if (now := stage.state()) != wanted:
                    raise Mismatch(f"{where}, in the process that wrote", wanted, now)
                bench.reopen()
                stage.judge_reopened(wanted, wanted, f"{where}, reopened")
                count += 1
        return f"{count} errors"
