"""Similarity: whether a save without id resembles a record that is there.

Closeness is the share of character bigrams that summary and body have in common (Jaccard), after
NFKC, case folding and removal of white space; titles are left out (LM-4.7).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .words import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .records import Record
    from .ruling import Ruling

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Alike:
    """A record that resembles what is to be saved, how it does, and how closely (percent)."""

    record: Record
    how: str
    closeness: int


def alike(ruling: Ruling, fields: Mapping[str, Any], records: Iterable[Record]) -> list[Alike]:
    """Return the records that resemble fields to be saved, the likest first."""
    threshold = ruling.number("similarity-threshold-percent")
    text = _text(fields.get("summary"), fields.get("body"))
    title, when = fields.get("title") or "", fields.get("when") or ""
    conditions = _canonical(fields.get("conditions"))
    decided: dict[tuple[str, ...], str] = {}
    found = []
    for record in records:
        percent, exactly = closeness(text, _text(record.summary, record.body), threshold)
        inputs = {
            "title": _same(title == (record.title or "")),
            "when_text": _same(when == (record.when or "")),
            "conditions": _same(conditions == _canonical(record.conditions)),
            "closeness": percent,
            "exactly": "yes" if exactly else "no",
        }
        key = tuple(map(str, inputs.values()))
        if key not in decided:
            decided[key] = str(ruling.decide("similarity", **inputs)["similar"])
        if decided[key] != "none":
            found.append(Alike(record, decided[key], percent))
    return sorted(found, key=lambda a: (a.how != "same_identity", -a.closeness, a.record.id))


def closeness(one: str, other: str, least: int) -> tuple[int, bool]:
    """Return how close two texts are in percent, rounded up, and whether it is exactly ``least``.

    Texts whose lengths alone keep them below ``least`` count as having nothing in common.
    """
    ours, theirs = _bigrams(one), _bigrams(other)
    small, large = sorted((len(ours), len(theirs)))
    if small * 100 < least * large or small == 0:
        return 0, False
    common = len(ours & theirs)
    union = small + large - common
    return -(-100 * common // union), 100 * common == least * union


def _text(summary: str | None, body: str | None) -> str:
    return f"{summary or ''}\n{body or ''}"


@lru_cache(maxsize=_REMEMBERED)
def _bigrams(text: str) -> frozenset[str]:
    """Return the bigrams of a text; a text of one character is its own."""
    plain = "".join(folded(text).split())
    if len(plain) == 1:
        return frozenset({plain})
    return frozenset(map("".join, pairwise(plain)))


def _canonical(conditions: Any) -> frozenset[tuple[str, frozenset[str]]]:
    """Return what conditions say, whatever their order."""
    return frozenset(
        (str(condition.get("key")), frozenset(map(str, _values(condition.get("value")))))
        if hasattr(condition, "get")
        else (str(condition), frozenset())
        for condition in conditions or ()
    )


def _values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _same(said: bool) -> str:  # noqa: FBT001 it is the value itself
    return "same" if said else "other"
