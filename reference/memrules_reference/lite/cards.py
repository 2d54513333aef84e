"""What a card looks like to the model: a first line that no stored text can imitate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .records import Record
    from .ruling import Ruling

ORDINARY = "ordinary"
EXPERIMENTAL = "experimental"
SEGMENTS = (ORDINARY, EXPERIMENTAL)
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Card:
    """A record that is to be shown, with its body, in one of the two segments."""

    record: Record
    body: str
    segment: str


def layout(cards: Sequence[Card], ruling: Ruling) -> str:
    """Return the whole text that the provider sees: the segments with a blank line between.

    A segment without a card has no heading (LM-2.28).
    """
    texts = ("\n".join(_card(card, ruling) for card in _of(cards, name)) for name in SEGMENTS)
    return "\n\n".join(text for text in texts if text)


def _of(cards: Sequence[Card], segment: str) -> list[Card]:
    return [card for card in cards if card.segment == segment]


def _card(card: Card, ruling: Ruling) -> str:
    """Return the text of a card: the marker line, then its stored texts, each line indented.

    Only the injector writes at the beginning of a line, so that no title or body can open a
    second card or close its own (LM-2.45).
    """
    marker = ruling.line("lines", "historical_note")
    first = ruling.reading("card-content") == "summary_or_body"
    content = (card.record.summary if first else "") or card.body
    return "\n".join(
        [
            f"[{card.record.id}] {marker}",
            *_indented(card.record.title or ""),
            *_indented(content),
        ]
    )


def _indented(text: str) -> list[str]:
    """Return the lines of a stored text as they stand below a card's first line."""
    return [_INDENT + line for line in _BREAKS.split(text)] if text else []
