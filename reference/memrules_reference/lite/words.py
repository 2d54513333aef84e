"""Words of Latin and Chinese text. A query is words, nothing else."""

from __future__ import annotations

import re
import unicodedata

_CJK = "\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK}\U00020000-\U0003ffff]+")
_RUN = re.compile(r"[^\W_]+(?:[-+./'\u2019#&@_]+[^\W_]+)*[+#]*")
_PART = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Return a text as it is compared: one form a character, no case."""
    return unicodedata.normalize("NFKC", text).casefold()


def words(text: str) -> frozenset[str]:
    """Return the words of a text: Latin runs whole and in parts, pairs of Chinese characters.

    A Chinese character that stands alone is a word of its own.
    """
    plain = folded(text)
    found: set[str] = set()
    for run in _CJK_RUN.findall(plain):
        found.update(run[place : place + 2] for place in range(len(run) - 1))
        if len(run) == 1:
            found.add(run)
    for run in _RUN.findall(_CJK_RUN.sub(" ", plain)):
        found.add(run)
        found.update(_PART.findall(run))
    return frozenset(found)


def score(query: frozenset[str], text: str) -> float:
    """Return the share of a query's words that a text holds, 0 to 1."""
    if not query:
        return 0.0
    held = words(text)
    hits = query & held
    missing = [word for word in query - hits if _CJK_RUN.fullmatch(word) and len(word) == 1]
    single = sum(word in folded(text) for word in missing) if missing else 0
    return (len(hits) + single) / len(query)
