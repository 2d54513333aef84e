"""Strict JSON, one value a line: what two sides must agree on before they can disagree.

UTF-8; no NaN or infinity, no duplicate keys, no lone surrogates, whole numbers within 2^53.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

LARGEST_INTEGER = 2**53 - 1
_LEAVES = frozenset({str, bool, float, type(None)})  # most of what there is, and never more
_BYTES = (bytes, bytearray, memoryview)

LONGEST_LINE = 16 * 2**20
"""Bytes of a line, its end not counted."""


class NotStrictJsonError(ValueError):
    """Bytes or a value that strict JSON does not have; the message says which."""


def encode(value: object) -> bytes:
    """Return the line for a value, with its end; raise NotStrictJsonError for what has none."""
    try:
        return encode_plain(plain(value))
    except RecursionError as error:
        raise NotStrictJsonError("the value is nested too deeply") from error


def encode_plain(value: Any) -> bytes:
    """Return the line for a value that is plain already; raise NotStrictJsonError."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        line = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotStrictJsonError("a text holds half of a surrogate pair") from error
    except RecursionError as error:
        raise NotStrictJsonError("the value is nested too deeply") from error
    except ValueError as error:
        raise NotStrictJsonError(str(error)) from error
    if len(line) > LONGEST_LINE:
        raise NotStrictJsonError(f"the line has {len(line)} bytes, more than {LONGEST_LINE}")
    return line + b"\n"


def decode(line: bytes) -> Any:
    """Return the value on a line; raise NotStrictJsonError for anything else."""
    if len(line) > LONGEST_LINE + 1:
        raise NotStrictJsonError(f"the line has more than {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_number,
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrictJsonError(f"byte {error.start} is not UTF-8") from error
    except UnicodeEncodeError as error:
        raise NotStrictJsonError("a text holds half of a surrogate pair") from error
    except json.JSONDecodeError as error:
        raise NotStrictJsonError(f"it is not JSON: {error.msg} at {error.pos}") from error
    except RecursionError as error:
        raise NotStrictJsonError("the value is nested too deeply") from error
    return value


def plain(value: object) -> Any:
    """Return a copy of a value in dicts, lists, texts, numbers, booleans and None alone."""
    if type(value) in _LEAVES or isinstance(value, str | float):
        return value
    if isinstance(value, int):
        return _within(value)
    if isinstance(value, dict | Mapping):
        for key in value:
            if not isinstance(key, str):
                raise NotStrictJsonError(f"the key {key!r} is not text")
        return {k: v if type(v) in _LEAVES else plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | Sequence) and not isinstance(value, _BYTES):
        return [v if type(v) in _LEAVES else plain(v) for v in value]
    raise NotStrictJsonError(f"JSON has no {type(value).__name__}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, each of whose keys stands once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotStrictJsonError(f"the key {twice!r} stands twice in one object")
    return found


def _constant(name: str) -> Any:
    raise NotStrictJsonError(f"JSON has no {name}")


def _integer(digits: str) -> int:
    if len(digits) > len(str(-LARGEST_INTEGER)):
        raise NotStrictJsonError("a whole number is beyond 2^53")
    return _within(int(digits))


def _within(number: int) -> int:
    if abs(number) > LARGEST_INTEGER:
        raise NotStrictJsonError(f"the whole number {number} is beyond 2^53")
    return number


def _number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotStrictJsonError(f"the number {digits[:40]} is beyond what a double holds")
    return number
