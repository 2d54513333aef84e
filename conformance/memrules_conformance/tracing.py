"""A target whose every call says which rows decided, for those who want to know why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .capabilities import Claims

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .targets import Asking, OpenDoor, Target


@dataclass(frozen=True, slots=True)
class Traced:
    """One call, what came back, and the rows that decided: ``{table, inputs, row}``."""

    op: str
    args: Mapping[str, Any]
    result: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A world that was opened, the ids of its handles, and what was asked in it."""

    world: Mapping[str, Any]
    ids: Mapping[str, str]
    requests: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)


@dataclass
class TracingTarget:
    """A target as it is, but that each call asks for its trace where that is supported.

    ``seen`` are the calls so far, ``opened`` the worlds.
    """

    target: Target
    seen: list[Traced] = field(default_factory=list)
    opened: list[Opened] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What to type for the target."""
        return self.target.text

    def open(self, asking: Asking, *, hosted: bool) -> OpenDoor:
        """Return a new door that asks for traces; raise StartError."""
        return TracingDoor(self.target.open(asking, hosted=hosted), self)


class TracingDoor:
    """A door that adds ``trace: true`` to each call and keeps what comes back."""

    def __init__(self, door: OpenDoor, target: TracingTarget) -> None:
        self._door = door
        self._target = target
        self._traces = Claims.of(door.hello).supports("trace")
        self._begun: dict[int, Mapping[str, Any]] = {}

    @property
    def hello(self) -> Mapping[str, Any]:
        """The target's answer to ``hello``."""
        return self._door.hello

    @property
    def lost(self) -> bool:
        """Whether the door takes no more calls."""
        return self._door.lost

    @lost.setter
    def lost(self, value: bool) -> None:
        self._door.lost = value

    @property
    def unfired(self) -> list[str]:
        """The stops at which nothing ever stopped."""
        return self._door.unfired

    @unfired.setter
    def unfired(self, value: list[str]) -> None:
        self._door.unfired = value

    @property
    def busy(self) -> bool:
        """Whether a request that was begun has not been answered."""
        return self._door.busy

    def call(self, method: str, params: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Return the result of one request."""
        result = self._door.call(method, self._asking_why(method, params), timeout)
        if method == "open":
            self._target.opened.append(Opened(params, result["ids"]))
        elif self._target.opened:
            self._target.opened[-1].requests.append((method, params))
        self._keep(method, params, result)
        return result

    def begin(self, method: str, params: Mapping[str, Any]) -> int:
        """Send one request and return its number."""
        number = self._door.begin(method, self._asking_why(method, params))
        if method == "call":
            self._begun[number] = params
        return number

    def outcome(self, number: int, timeout: float | None = None) -> Any:
        """Return the result of a request that was begun, or the point at which it waits."""
        found = self._door.outcome(number, timeout)
        if number in self._begun and isinstance(found, dict):
            self._keep("call", self._begun.pop(number), found)
        return found

    def settle(self) -> None:
        """Raise BrokeProtocol if the target has said more than it was asked."""
        self._door.settle()

    def kill(self) -> None:
        """End the target as a crash does."""
        self._door.kill()

    def close(self) -> None:
        """End the target."""
        self._door.close()

    def _keep(self, method: str, params: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Keep a call, and take out of the answer what the check has not asked for."""
        if method != "call":
            return
        rows = tuple(result.get("trace", ()))
        if isinstance(result, dict) and not params.get("trace"):
            result.pop("trace", None)
        self._target.seen.append(Traced(params["op"], params["args"], result["result"], rows))

    def _asking_why(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the params of a request, a call with the wish for its trace."""
        return {**params, "trace": True} if method == "call" and self._traces else params
