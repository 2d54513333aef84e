"""What a check is, what it is run against, and the verdicts that it can get."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memrules_spec import Rules


class Verdict(StrEnum):
    """The five things that a check can say of a target."""

    PASS = "pass"  # noqa: S105 a verdict
    FAIL = "fail"
    ERROR = "error"
    UNSUPPORTED = "unsupported"
    HARNESS_ERROR = "harness-error"


LEVELS = ("quick", "default", "long")
KINDS = ("fixture", "vector", "property", "machine", "durability")


class Mismatch(AssertionError):  # noqa: N818 it is a finding
    """The target answered, and its answer is not what the rules demand."""

    def __init__(self, where: str, expected: object, actual: object, note: str = "") -> None:
        super().__init__(f"{where}: expected {expected!r}, got {actual!r}")
        self.where = where
        self.expected = expected
        self.actual = actual
        self.note = note


class TargetFault(Exception):  # noqa: N818 it is a finding
    """The target could not be asked, or did not answer as the protocol says: an ``error``."""


class Crashed(TargetFault):
    """The target's process ended, or its handler raised something that is not of the protocol."""


class TimedOut(TargetFault):
    """No answer within the time of the call."""


class BrokeProtocol(TargetFault):
    """What came is not a message of the protocol."""


class AdapterBroke(TargetFault):
    """The adapter said by itself that it broke (-32003)."""


class Unsupported(TargetFault):
    """The target says that it lacks a capability (-32001) or cannot build a world (-32002)."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Reached:
    """An operation waits at a point at which it was told to stop, there for the n-th time."""

    point: str
    n: int


class Door(Protocol):
    """An open way to one target: a process on a pipe, or an object in this process."""

    @property
    def hello(self) -> Mapping[str, Any]:
        """The target's answer to ``hello``."""

    def call(self, method: str, params: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Return the ``result`` of one request; raise a TargetFault for anything else."""

    def begin(self, method: str, params: Mapping[str, Any]) -> int:
        """Send one request without waiting for its answer, and return its number."""

    def outcome(self, number: int, timeout: float | None = None) -> Any:
        """Return the ``result`` of a request that was begun, or the Reached at which it waits.

        While it waits, ``set``, ``inspect`` and ``resume`` can be called; then ask again.
        """

    def kill(self) -> None:
        """End the target's whole process group at once, as a crash does (signal 9)."""

    def close(self) -> None:
        """End the target and everything that it started."""


class Bench(Protocol):
    """What a check has in its hands while it runs."""

    @property
    def door(self) -> Door:
        """The target."""

    @property
    def rules(self) -> Rules:
        """The rules under the readings that the target declared."""

    @property
    def seed(self) -> int:
        """The seed of the run."""

    @property
    def hasty(self) -> bool:
        """Whether only the verdict counts: a check ends at the first thing that is wrong."""

    @property
    def most_worlds(self) -> int | None:
        """In how many worlds a row is asked through an entry point, drawn by the seed; or all."""

    def supports(self, capability: str) -> bool:
        """Tell whether the target claims a capability."""

    def open(self, world: Mapping[str, Any]) -> dict[str, str]:
        """Open a fresh world in a fresh store and return the id of each seeded handle."""

    def reopen(self, **changes: Any) -> None:
        """Open the store again as it was left, in a world with ``changes``.

        A process is started if none is there.  Seed, script and armed faults are not given again;
        the ids of seeded handles stay what they were.
        """

    def keeping(self, **changes: Any) -> dict[str, Any]:
        """Return the params with which another door opens the same store as it was left."""

    def kill(self) -> None:
        """Kill the target's process group; the next ``reopen`` or ``open`` starts a new one."""

    def spawn(self) -> Door:
        """Return one more process of the target, closed with the check."""

    def store(self) -> str:
        """Return the path of the store of the world that is open."""


@dataclass(frozen=True, slots=True)
class Check:
    """One id, one verdict, one line in a report.

    The first of ``clauses`` is the one that the check decides; ``needs`` are the capabilities
    without which it is ``unsupported``; ``readings`` are the options under which it holds.
    """

    id: str
    area: str
    clauses: tuple[str, ...]
    binding: str
    level: str
    kind: str
    run: Callable[[Bench], str | None] = field(repr=False, compare=False)
    needs: frozenset[str] = frozenset()
    readings: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one check."""

    check: Check
    verdict: Verdict
    message: str = ""
    expected: Any = None
    actual: Any = None
    where: str = ""
    seconds: float = 0.0
