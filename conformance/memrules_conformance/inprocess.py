"""The door to a Python object in this process, which sees and says the same JSON as on a pipe."""

from __future__ import annotations

import queue
import threading
import traceback
from typing import TYPE_CHECKING, Any, NoReturn

from . import factories
from .checks import Crashed, TargetFault, TimedOut
from .protocol import KitError, fault_of, message_of, request_line, result_of
from .strict_json import NotStrictJsonError, decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_spec import Rules

    from .factories import Factory
    from .stdio import Limits


class PythonDoor:
    """A target that a factory makes.  After a crash or a time-out the door is ``lost``."""

    def __init__(
        self,
        factory: Factory,
        rules: Rules | None,
        limits: Limits,
        readings: Mapping[str, str | int],
    ) -> None:
        """Make the target in a thread of its own and greet it; raise TargetFault."""
        self.lost = False
        self._fault: TargetFault | None = None
        self.unfired: list[str] = []
        self.hello: Mapping[str, Any] = {}
        self._limits = limits
        self._number = 0
        self._found: dict[int, Any] = {}
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes | BaseException] = queue.SimpleQueue()
        threading.Thread(target=self._serve, args=(factory, rules), daemon=True).start()
        try:
            self.hello = self.call("hello", {"protocol": 1, "readings": readings}, limits.hello)
        except BaseException:
            self.close()
            raise

    def call(self, method: str, params: Mapping[str, Any], timeout: float | None = None) -> Any:
        """Return the ``result`` of one request; raise a TargetFault for anything else."""
        if self._fault is not None:
            raise self._fault
        if self.lost:
            raise KitError("the door is closed")
        self._number += 1
        self._requests.put(request_line(self._number, method, params))
        seconds = self._limits.call if timeout is None else timeout
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            self._lose(TimedOut(f"no answer to {method} within {seconds:g} s"))
        if isinstance(answer, BaseException):
            self._lose(Crashed(f"raised {_words(answer)} in {method}"))
        message = message_of(answer)
        if "error" in message:
            raise fault_of(message["error"], method)
        return result_of(method, params, message["result"])

    def begin(self, method: str, params: Mapping[str, Any]) -> int:
        """Ask at once, as an object that cannot wait must, and return the request's number."""
        try:
            found: Any = self.call(method, params)
        except TargetFault as fault:
            found = fault
        self._found[self._number] = found
        return self._number

    def outcome(self, number: int, timeout: float | None = None) -> Any:  # noqa: ARG002 it is there
        """Return the ``result`` of a request that was begun, or raise its fault."""
        found = self._found.pop(number)
        if isinstance(found, TargetFault):
            raise found
        return found

    @property
    def busy(self) -> bool:
        """Tell that nothing waits: every request is answered at once."""
        return False

    def settle(self) -> None:
        """Do nothing: an object cannot say more than it is asked."""

    def kill(self) -> None:
        """Raise KitError: only a process can be killed."""
        raise KitError("a check that kills runs in a process of its own; declare the need 'kill'")

    def close(self) -> None:
        """End the thread, or leave it alone if it hangs."""
        if not self.lost:
            self.lost = True
            self._requests.put(None)

    def _lose(self, fault: TargetFault) -> NoReturn:
        """Close the door and raise a fault, then and whenever it is asked again."""
        self.close()
        self._fault = fault
        raise fault

    def _serve(self, factory: Factory, rules: Rules | None) -> None:
        """Make the target and answer requests until the door is closed or something breaks."""
        try:
            target = factories.make(factory, rules)
            while (line := self._requests.get()) is not None:
                request = decode(line)
                self._answers.put(_answer(target, request))
        except BaseException as error:  # noqa: BLE001 it belongs to the check that asked
            self._answers.put(error)


def _answer(target: factories.Handler, request: dict[str, Any]) -> bytes:
    """Return the line that answers a request."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        answer["result"] = target.handle(request["method"], request["params"])
    except Exception as error:
        said = factories.error_of(error)
        if said is None:
            raise
        answer["error"] = said
    try:
        return encode(answer)
    except NotStrictJsonError as error:
        raise TypeError(f"handle returned what JSON does not have: {error}") from error


def _words(error: BaseException) -> str:
    """Return an exception in words, with the last line of the target's code that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
