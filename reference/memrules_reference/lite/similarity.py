"""Similarity: whether a save without id resembles a record that is there.

Closeness is the share of character bigrams that summary and body have in common (Jaccard), after
NFKC, case folding and removal of white space; titles are left out (LM-4.7).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

from .words import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .records import Record
    from .ruling import Ruling

_REMEMBERED = 8192
_BITS = 4096


@dataclass(frozen=True, slots=True)
class Alike:
    """A record that resembles what is to be saved, how it does, and how closely (percent)."""

    record: Record
    how: str
    closeness: int


@dataclass(frozen=True, slots=True)
class Gist:
    """The bigrams of a text, and a number with a bit for each of them (several may share one)."""

    bigrams: frozenset[str]
    size: int
    bits: int


def alike(ruling: Ruling, fields: Mapping[str, Any], records: Iterable[Record]) -> list[Alike]:
    """Return the records that resemble fields to be saved, the likest first."""
    threshold = ruling.number("similarity-threshold-percent")
    gist = gist_of(fields.get("summary"), fields.get("body"))
    title, when = fields.get("title") or "", fields.get("when") or ""
    conditions = _canonical(fields.get("conditions"))
    strangers = _similar(ruling, title="other", when_text="same", conditions="same", texts="apart")
    found = []
    for record in records:
        percent = closeness(gist, gist_of(record.summary, record.body), threshold)
        titled = title == (record.title or "")
        if not titled and percent < threshold and strangers == "none":
            continue  # nothing in common: no table is asked a thousand times
        said = _similar(
            ruling,
            title=_same(titled),
            when_text=_same(when == (record.when or "")),
            conditions=_same(conditions == _canonical(record.conditions)),
            texts="close" if percent >= threshold else "apart",
        )
        if said == "alike":
            how = "same_identity" if titled else "similar_text_other_title"
            found.append(Alike(record, how, percent))
    return sorted(found, key=lambda a: (a.how != "same_identity", -a.closeness, a.record.id))


def _similar(ruling: Ruling, **inputs: str) -> str:
    return str(ruling.decide("similarity", **inputs)["similar"])


def closeness(one: Gist, other: Gist, least: int) -> int:
    """Return how close two texts are in percent, rounded down.

    Texts that cannot reach ``least`` count as having nothing in common.  A bit that one has and the
    other has not is a bigram that they do not share, which tells that without comparing all.
    """
    if one.size > other.size:
        one, other = other, one
    total = one.size + other.size
    most = one.size - (one.bits & ~other.bits).bit_count()
    if most * 100 < least * (total - most) or most == 0:
        return 0
    common = len(one.bigrams & other.bigrams)
    return 100 * common // (total - common)


@lru_cache(maxsize=_REMEMBERED)
def gist_of(summary: str | None, body: str | None) -> Gist:
    """Return the gist of a summary and a body; a text of one character is its own bigram."""
    plain = "".join(folded(f"{summary or ''}\n{body or ''}").split())
    bigrams = frozenset({plain}) if len(plain) == 1 else frozenset(map("".join, pairwise(plain)))
    bits = 0
    for bigram in bigrams:
        bits |= 1 << crc32(bigram.encode("utf-8", "surrogatepass")) % _BITS
    return Gist(bigrams, len(bigrams), bits)


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
