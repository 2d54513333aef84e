"""The limits of a layer, and making room: the entries that went unread the longest go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .changes import archive
from .records import stored_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .records import Record
    from .ruling import Ruling
    from .store import Draft, Scope
    from .world import World


class Load:
    """How much of a layer its active records take up."""

    def __init__(self, ruling: Ruling, records: Iterable[Record]) -> None:
        self._ruling = ruling
        stored_form = ruling.reading("total-size-measure") == "stored_form"
        self._size_of = _stored_size if stored_form else _text_size
        active = [record for record in records if not record.archived]
        self.entries = len(active)
        self.bytes = sum(map(self._size_of, active))

    def without(self, record: Record) -> None:
        """Count a record no longer."""
        self.entries -= 1
        self.bytes -= self._size_of(record)

    @property
    def over(self) -> bool:
        """Whether the layer is over a limit."""
        return self._decided()["capacity"] == "hard_limit"  # LM-4.49, LM-4.51

    @property
    def hinted(self) -> bool:
        """Whether the layer is over the soft limit."""
        return self._decided()["hint"] == "soft_limit"  # LM-4.48

    def _decided(self) -> Mapping[str, object]:
        return self._ruling.decide("layer_capacity", entries=self.entries, bytes=self.bytes)


def _text_size(record: Record) -> int:
    """Return the UTF-8 bytes of a record's texts."""
    text = f"{record.title or ''}{record.summary or ''}{record.when or ''}{record.body or ''}"
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _stored_size(record: Record) -> int:
    """Return the bytes of a record as it is stored."""
    return len(json.dumps(stored_of(record), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def make_room(world: World, draft: Draft, scope: Scope, kept: str, load: Load) -> list[str]:
    """Archive entries of a scope until it is within its limits, and say so of each.

    ``load`` is that of the scope's draft.  The record with the id ``kept`` is never archived.
    Returns one sentence for each entry.
    """
    if not load.over:
        return []
    sentences = []
    for victim in _longest_unread(world, draft, scope):
        if victim.id == kept:
            continue
        archive(world, draft, scope, victim)  # LM-4.52, LM-4.64
        text = world.ruling.phrase("eviction")
        sentences.append(text.replace("{title}", victim.title or ""))  # LM-4.53
        load.without(victim)
        if not load.over:
            break
    return sentences


def _longest_unread(world: World, draft: Draft, scope: Scope) -> list[Record]:
    """Return the active entries of a scope, the one that went unread the longest first."""
    times = world.store.read_times(scope)
    never_first = world.ruling.reading("never-read-rank") == "first"

    def rank(record: Record) -> tuple[bool, int, str]:
        created = record.created_at or 0
        read = max(record.last_read_at or 0, times.get(record.id, 0))
        return (not never_first or read > 0, read or created, record.id)

    active = [record for record in draft.state(scope).records.values() if not record.archived]
    return sorted(active, key=rank)
