"""The messages of the protocol, held against their schemas; a violation is its sender's fault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memrules_spec.schemas import validate

from .checks import AdapterBroke, BrokeProtocol, TargetFault, Unsupported
from .safe_text import clean, clip
from .strict_json import NotStrictJsonError, decode, encode_plain, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

PROTOCOL = 1
UNSUPPORTED, CANNOT_BUILD, ADAPTER_BROKE = -32001, -32002, -32003
METHOD_NOT_FOUND = -32601
MOST_SHOWN = 300
MOST_FAULTS = 3


class KitError(Exception):
    """The kit itself broke the protocol or misused a door: a ``harness-error``."""


def request_line(number: int, method: str, params: Mapping[str, Any]) -> bytes:
    """Return the line of a request; raise KitError if it breaks the protocol.

    The arguments of an operation may be malformed: how they are answered is a question of rules.
    """
    try:
        params = plain(params)
        line = encode_plain({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    except NotStrictJsonError as error:
        raise KitError(f"the request {method} cannot be written: {error}") from error
    if faults := validate(params, f"protocol/{method}#/$defs/params"):
        raise KitError(f"the request {method} breaks its schema: {_listed(faults)}")
    return line


def message_of(line: bytes) -> dict[str, Any]:
    """Return the answer or the notification on a line; raise BrokeProtocol for anything else."""
    try:
        message = decode(line)
    except NotStrictJsonError as error:
        raise BrokeProtocol(f"{error}; the line begins: {shown(line)}") from error
    if not isinstance(message, dict):
        raise BrokeProtocol(f"a line is not a message: {shown(line)}")
    kind = "notification" if "method" in message else "failure" if "error" in message else "success"
    if faults := validate(message, f"protocol/message#/$defs/{kind}"):
        raise BrokeProtocol(f"a message breaks its schema: {_listed(faults)}; it is: {shown(line)}")
    return message


def result_of(method: str, params: Mapping[str, Any], result: Any) -> Any:
    """Return a result that is as its schema says; raise BrokeProtocol for another."""
    if method == "hello":
        _refuse_newer(result)
    _hold(f"the result of {method}", result, f"protocol/{method}#/$defs/result")
    if method == "call":
        _hold(f"the result of {params['op']}", result["result"], _result_schema(params["op"]))
    elif method == "inspect" and params["part"] not in result:
        raise BrokeProtocol(f"the result of inspect has no {params['part']}")
    elif method == "decide" and len(result["decisions"]) != len(params["inputs"]):
        raise BrokeProtocol(
            f"{len(params['inputs'])} decisions were asked for, {len(result['decisions'])} came"
        )
    return result


def fault_of(error: Mapping[str, Any], method: str) -> TargetFault:
    """Return what the error object of an answer means for a check."""
    code, text = error["code"], clean(clip(error["message"], MOST_SHOWN))
    if code == UNSUPPORTED:
        return Unsupported(clean(clip(error["data"]["capability"], MOST_SHOWN)))
    if code == CANNOT_BUILD:
        return Unsupported(f"cannot build {clean(clip(error['data']['what'], MOST_SHOWN))}")
    if code == ADAPTER_BROKE:
        return AdapterBroke(clean(clip(error["data"]["message"], MOST_SHOWN)))
    if code == METHOD_NOT_FOUND:
        return BrokeProtocol(f"does not know {method}, nor does it say so in unsupported: {text}")
    return AdapterBroke(f"answered {method} with the error {code}: {text}")


def shown(line: bytes) -> str:
    """Return the beginning of a line as it can be printed."""
    return clean(clip(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"), MOST_SHOWN))


def _refuse_newer(hello: Any) -> None:
    """Raise BrokeProtocol for a hello of a newer protocol, whatever else stands in it."""
    number = hello.get("protocol") if isinstance(hello, dict) else None
    if isinstance(number, int) and number > PROTOCOL:
        raise BrokeProtocol(
            f"speaks protocol {number}, and this kit speaks {PROTOCOL}: take a newer memrules, "
            f"or let the target answer with protocol {PROTOCOL}"
        )


def _result_schema(operation: str) -> str:
    return f"operations/{operation}#/$defs/result"


def _hold(what: str, value: Any, schema: str) -> None:
    """Raise BrokeProtocol if a value that the target sent is not as a schema says."""
    try:
        faults = validate(value, schema)
    except LookupError as error:
        raise KitError(str(error)) from error
    if faults:
        text = clean(clip(json.dumps(value, ensure_ascii=False), MOST_SHOWN))
        raise BrokeProtocol(f"{what} breaks its schema: {_listed(faults)}; it is: {text}")


def _listed(faults: list[str]) -> str:
    """Return the first faults on one line."""
    more = f" and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
    return clean("; ".join(clip(fault, MOST_SHOWN) for fault in faults[:MOST_FAULTS]) + more)
