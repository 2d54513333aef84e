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
        active = [record for record in records if not record.archived]
        self.entries = len(active)
        self.bytes = sum(self.size_of(record) for record in active)

    def without(self, record: Record) -> None:
        """Count a record no longer."""
        self.entries -= 1
        self.bytes -= self.size_of(record)

    @property
    def over(self) -> bool:
        """Whether the layer is over a limit."""
        return self._decided()["capacity"] == "hard_limit"  # LM-4.49, LM-4.51

    @property
    def hinted(self) -> bool:
        """Whether the layer is over the soft limit."""
        return self._decided()["hint"] == "soft_limit"  # LM-4.48

    def size_of(self, record: Record) -> int:
        """Return the bytes that a record counts against the total of its layer."""
        if self._ruling.reading("total-size-measure") == "stored_form":
            return len(json.dumps(stored_of(record), ensure_ascii=False).encode())
        texts = (record.title, record.summary, record.when, record.body)
        return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts if text)

    def _decided(self) -> Mapping[str, object]:
        return self._ruling.decide("layer_capacity", entries=self.entries, bytes=self.bytes)


def make_room(world: World, draft: Draft, scope: Scope, kept: str) -> list[str]:
    """Archive entries of a scope until it is within its limits, and say so of each.

    The record with the id ``kept`` is never archived.  Returns one sentence for each entry.
    """
    load = Load(world.ruling, draft.state(scope).records.values())
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
