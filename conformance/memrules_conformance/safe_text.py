"""What a target said, made fit for a terminal and a report: it is data, never an instruction."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_KEPT = 64 * 1024
"""Characters of one answer that a report keeps."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    r"""Return a text whose control characters are spelled out: an escape becomes ``\x1b``."""
    return _CONTROLS.sub(_spelled, text)


def clean_value(value: Any) -> Any:
    """Return a JSON value whose every text is clean; if it is too long, its beginning as text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if len(text := json.dumps(value, ensure_ascii=False, default=repr)) > MOST_KEPT:
        return f"{clean(text[:MOST_KEPT])} ... ({len(text)} characters)"
    return _cleaned(json.loads(text))


def clip(text: str, most: int = MOST_KEPT) -> str:
    """Return the beginning of a text, and how long it was if that is not all of it."""
    return text if len(text) <= most else f"{text[:most]} ... ({len(text)} characters)"


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(inner) for inner in value]
    return value


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 two digits hold it
