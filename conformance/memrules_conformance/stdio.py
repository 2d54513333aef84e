"""The door to a process on a pipe: one message a line, every wait bounded, nothing left behind."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from .checks import BrokeProtocol, Crashed, Reached, TargetFault, TimedOut
from .pipes import Lines, Tail
from .processes import start
from .protocol import KitError, fault_of, message_of, request_line, result_of, shown
from .strict_json import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .processes import Process

SAFE_WRITE = 8 * 1024
"""Bytes that an empty pipe takes without blocking, on every system."""

LOOK_AGAIN = 0.25
"""Seconds after which a silent process is asked whether it is still there."""

GRACE = 0.5
"""Seconds that a process gets to end after it closed its output."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for one call and for ``hello``."""

    call: float = 10.0
    hello: float = 30.0


class StdioDoor:
    """A target behind a command.  After a fault of the pipe the door is ``lost``."""

    def __init__(
        self, command: Sequence[str], limits: Limits, readings: Mapping[str, str | int]
    ) -> None:
        """Start the command and greet it; raise TargetFault, or OSError if there is none such."""
        self.lost = False
        self.hello: Mapping[str, Any] = {}
        self._limits = limits
        self._number = 0
        self._asked: dict[int, tuple[str, Mapping[str, Any]]] = {}
        self._answers: dict[int, Any] = {}
        self._reached: Reached | None = None
        self._fault: TargetFault | None = None
        self._armed: str | None = None
        self._may_stop = False
        self.unfired: list[str] = []
        self._process: Process = start(command)
        self._lines = Lines(self._process.popen.stdout)
        self._stderr = Tail(self._process.popen.stderr)
        try:
            self.hello = self.call("hello", {"protocol": 1, "readings": readings}, limits.hello)
        except BaseException:
            self.close()
            raise

    def call(self, method: str, params: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Return the ``result`` of one request; raise a TargetFault for anything else."""
        found = self.outcome(self.begin(method, params), timeout)
        if isinstance(found, Reached):
            raise KitError(f"{method} waits at {found.point}; ask with begin and outcome")
        return found

    def begin(self, method: str, params: Mapping[str, Any]) -> int:
        """Send one request without waiting for its answer, and return its number."""
        if self._fault is not None:
            raise self._fault
        if self.lost:
            raise KitError("the door is closed")
        self._number += 1
        line = request_line(self._number, method, params)
        self._asked[self._number] = (method, params)
        if method in ("open", "close"):
            self._disarm()
        elif method == "fault" and "stop_at" in params:
            self._may_stop, self._armed = True, params["stop_at"]
        self._write(line, method)
        return self._number

    def outcome(self, number: int, timeout: float | None = None) -> Any:
        """Return the ``result`` of a request that was begun, or the Reached at which it waits."""
        method, params = self._asked[number]
        seconds = self._limits.call if timeout is None else timeout
        deadline = time.monotonic() + seconds
        while number not in self._answers:
            if self._reached is not None and method in ("call", "turn"):
                reached, self._reached = self._reached, None
                return reached
            line = self._line(deadline)
            if line is None:
                half = self._lines.half()
                came = f"; half a line came: {shown(half)}" if half else ""
                self._lose(TimedOut(f"no answer to {method} within {seconds:g} s{came}"))
            self._take(line, method)
        message = self._answers.pop(number)
        del self._asked[number]
        if "error" in message:
            raise fault_of(message["error"], method)
        return result_of(method, params, message["result"])

    @property
    def busy(self) -> bool:
        """Tell whether a request that was begun has not been answered."""
        return bool(self._asked) and not self.lost

    def settle(self) -> None:
        """Raise BrokeProtocol if the target has said more than it was asked."""
        while not self.lost and (line := self._lines.waiting()) is not None:
            self._take(line, "nothing")

    def kill(self) -> None:
        """End the target's whole process group at once, as a crash does (signal 9)."""
        self.lost = True
        self._disarm()
        self._process.end()

    def close(self) -> None:
        """End the target and everything that it started."""
        self.kill()
        self._lines.join()
        self._stderr.join()

    def _disarm(self) -> None:
        """Forget an armed stop, and note one at which nothing ever stopped."""
        if self._armed is not None:
            self.unfired.append(self._armed)
        self._may_stop, self._armed = False, None

    def _write(self, line: bytes, method: str) -> None:
        """Write a whole line; a target that does not read it is ended in time."""
        pipe = self._process.popen.stdin
        assert pipe is not None
        watch: threading.Timer | None = None
        if len(line) > SAFE_WRITE:
            watch = threading.Timer(self._limits.call, self._process.end)
            watch.daemon = True
            watch.start()
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[pipe.write(rest) :]
        except (OSError, ValueError):
            self._lose_ended(method)
        finally:
            if watch is not None:
                watch.cancel()

    def _line(self, deadline: float) -> bytes | None:
        """Return the next line, empty bytes where the output ends, None when the time is over."""
        while (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                return self._lines.next(min(left, LOOK_AGAIN))
            if self._process.has_ended():
                # What it wrote before it ended may still be on its way; a child may hold the pipe.
                with contextlib.suppress(queue.Empty):
                    return self._lines.next(LOOK_AGAIN)
                return b""
        return None

    def _take(self, line: bytes, method: str) -> None:
        """Keep an answer or a notification; anything else loses the door."""
        if not line:
            self._lose_ended(method)
        if not line.endswith(b"\n"):
            if len(line) > LONGEST_LINE:
                self._lose(BrokeProtocol(f"a line is longer than {LONGEST_LINE} bytes; cut there"))
            self._lose_ended(method, f" after half a line: {shown(line)}")
        try:
            message = message_of(line)
        except BrokeProtocol as fault:
            self._lose(fault)
        if message.get("method") == "log":
            self._stderr.add(message["params"]["message"].encode("utf-8") + b"\n")
        elif message.get("method") == "reached":
            if not self._may_stop:
                self._lose(BrokeProtocol(f"stops at {shown(line)}, and was not told to"))
            self._armed = None
            self._reached = Reached(message["params"]["point"], message["params"]["n"])
        elif message["id"] not in self._asked or message["id"] in self._answers:
            self._lose(
                BrokeProtocol(f"answers {message['id']!r}, which is no open request: {shown(line)}")
            )
        else:
            self._answers[message["id"]] = message

    def _lose_ended(self, method: str, more: str = "") -> NoReturn:
        """Lose a door whose process ended, or closed its output."""
        deadline = time.monotonic() + GRACE
        while not (ended := self._process.has_ended()) and time.monotonic() < deadline:
            time.sleep(0.01)
        code = self._process.end()
        how = f"ended {_how(code)}" if ended else "closed its output"
        self._lose(Crashed(f"{how} in {method}{more}"))

    def _lose(self, fault: TargetFault) -> NoReturn:
        """Close the door and raise a fault, the end of stderr beside it."""
        self.close()
        text = self._stderr.text()
        self._fault = type(fault)(f"{fault}; its stderr ends: {text}" if text else str(fault))
        raise self._fault from None


def _how(code: int | None) -> str:
    """Return an exit code in words."""
    if code is None:
        return "in no known way"
    if code >= 0:
        return f"with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"by {signal.Signals(-code).name}"
    return f"by signal {-code}"
