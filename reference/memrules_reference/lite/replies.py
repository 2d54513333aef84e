"""What an operation answers: a result, and the text that the model reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .ruling import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .ruling import Ruling


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of an operation and its rendered text."""

    result: dict[str, Any]
    text: str


def said(result: Mapping[str, Any], code: str, ruling: Ruling, *lines: str) -> Reply:
    """Return a result with the message of a code, and the text that says it (LM-9.20)."""
    message = ruling.message(code)
    text = "\n".join([spoken(message, ruling.lang), *(line for line in lines if line)])
    return Reply({**result, "message": message}, text)
