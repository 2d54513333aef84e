"""What stands for a target on the command line, and the doors that it opens."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from . import factories
from .checks import Door, TargetFault
from .inprocess import PythonDoor
from .stdio import Limits, StdioDoor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memrules_spec import Rules

    from .factories import Factory

GROUP = "memrules.targets"
LATER = ("mcp:", "http:", "https:")


class UsageError(Exception):
    """What was typed is no target; the message says what to type."""


class StartError(Exception):
    """The target could not be started, or its ``hello`` is not one; the message says why."""


class OpenDoor(Door, Protocol):
    """A door as the judge keeps it."""

    lost: bool
    """It takes no more calls: a new one is needed."""

    unfired: list[str]
    """The stops that were armed and at which nothing ever stopped."""

    @property
    def busy(self) -> bool:
        """Tell whether a request that was begun has not been answered."""

    def settle(self) -> None:
        """Raise BrokeProtocol if the target has said more than it was asked."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How every door of a run is opened."""

    rules: Rules
    readings: Mapping[str, str | int] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


class Target(Protocol):
    """An implementation under test."""

    @property
    def text(self) -> str:
        """What to type for it."""

    def open(self, asking: Asking, *, hosted: bool) -> OpenDoor:
        """Return a new door, greeted; raise StartError.

        ``hosted`` asks for a process of its own, which can be killed and stopped.
        """


@dataclass(frozen=True, slots=True)
class CommandTarget:
    """``stdio:COMMAND``."""

    text: str
    command: Sequence[str]

    def open(self, asking: Asking, *, hosted: bool) -> OpenDoor:  # noqa: ARG002 it always is one
        """Return a door to a new process."""
        return _open_command(self.command, asking, self.text)


@dataclass(frozen=True, slots=True)
class PythonTarget:
    """``python:MODULE:FACTORY``, or a factory in hand, which has no process of its own."""

    text: str
    name: str = ""
    factory: Factory | None = field(default=None, repr=False)

    def open(self, asking: Asking, *, hosted: bool) -> OpenDoor:
        """Return a door to a new object in this process, or hosted in a process of its own."""
        if hosted:
            if not self.name:
                raise StartError(f"{self.text} has no process of its own: name it MODULE:FACTORY")
            spec = ["--spec", str(asking.rules.folder)]
            host = [sys.executable, "-m", f"{__package__}.host"]
            return _open_command([*host, self.name, *spec], asking, self.text)
        try:
            factory = self.factory or factories.find(self.name)
            return PythonDoor(factory, asking.rules, asking.limits, asking.readings)
        except (factories.NoFactoryError, TargetFault) as error:
            raise StartError(f"{self.text} could not be started: {error}") from error


def target_of(text: str) -> Target:
    """Return the target that a text stands for; raise UsageError if it stands for none."""
    kind, colon, rest = text.partition(":")
    if colon and kind == "stdio":
        try:
            command = shlex.split(rest)
        except ValueError as error:
            raise UsageError(f"{text} cannot be read as a command: {error}.") from error
        if command:
            return CommandTarget(text, tuple(command))
    if colon and kind == "python" and all(rest.partition(":")):
        return PythonTarget(text, rest)
    if text.startswith(LATER):
        raise UsageError(
            f"{kind}: targets come later.  Write it as python:MODULE:FACTORY or stdio:COMMAND,\n"
            "for example: memrules check stdio:'node adapter.js'"
        )
    for point in entry_points(group=GROUP):
        if point.name == text:
            return PythonTarget(text, point.value)
    module = text if text.isidentifier() else "my_impl"
    raise UsageError(
        f"{text} is not a target. Write it as python:MODULE:FACTORY, stdio:COMMAND, "
        "mcp:COMMAND or http:URL,\n"
        f"for example: memrules check python:{module}:make_target"
    )


def _open_command(command: Sequence[str], asking: Asking, text: str) -> OpenDoor:
    """Return a door to a new process of a command; raise StartError."""
    try:
        return StdioDoor(command, asking.limits, asking.readings)
    except OSError as error:
        what = error.strerror or error
        raise StartError(f"{text} could not be started: {command[0]}: {what}") from error
    except TargetFault as error:
        raise StartError(f"{text} could not be started: {error}") from error
