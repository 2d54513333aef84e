"""Power cuts: every state that a disk may be left in, from what the target says it did to it.

The model is the weak one: what was not synced may be there or not, each write and each name by
itself.  ``fsync`` of a file makes its content and its first name durable, ``fsync`` of a folder
all names in it.
"""

from __future__ import annotations

import base64
import itertools
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import BrokeProtocol, Check, Mismatch

from .stage import Stage
from .writes import WRITES, Write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memrules_conformance.checks import Bench

    Event = Mapping[str, Any]

NEEDS = frozenset(
    {
        "seed.records", "inspect.records", "inspect.slots", "inspect.io",
        "lite.memory_save", "lite.memory_read",
    }
)  # fmt: skip
NAMES = ("write", "mkdir", "rename", "link", "unlink")
MOST_FREE = 6
"""Steps that are lost or kept in every combination; of more, combinations are drawn."""
MOST_STATES = 120
IGNORED = ("lock", "access.log")


def power_checks() -> Iterator[Check]:
    """Yield one check a write: whatever a power cut leaves, the store is old or new."""
    for write in WRITES:
        if write.name == "memory_save_makes_room":
            continue  # the same steps as an archiving, on a thousand records
        yield Check(
            id=f"durability:lite/{write.name}/power",
            area="durability",
            clauses=("LM-4.58", "LM-4.60", "LM-10.6"),
            binding="strict",
            level="long",
            kind="durability",
            run=_Cuts(write),
            needs=NEEDS | write.needs | {f"lite.{write.op}"},
            name=f"a power cut in {write.name} leaves the old state or the new one",
        )
        yield Check(
            id=f"durability:lite/{write.name}/order",
            area="durability",
            clauses=("LM-4.81", "LM-4.58"),
            binding="strict",
            level="default",
            kind="durability",
            run=_Order(write),
            needs=NEEDS | write.needs | {f"lite.{write.op}"},
            name=f"what {write.name} puts in place was whole and durable before",
        )


class _Order:
    """Looks at the steps of a write: its intent first, and nothing named before it is whole."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def __call__(self, bench: Bench) -> str:
        stage = Stage(bench, self.write)
        stage.set_up()
        bench.door.call(*stage.call())
        events = [e for e in bench.door.call("inspect", {"part": "io"})["io"] if _counts(e)]
        renames = [place for place, event in enumerate(events) if event["op"] == "rename"]
        if any({"path", "to"} - events[place].keys() for place in renames):
            raise BrokeProtocol("inspect io says of a rename not what became what (path and to)")
        for place in renames:
            source, target = events[place]["path"], events[place]["to"]
            written = [n for n in range(place) if _is(events[n], "write", source)]
            synced = [n for n in range(place) if _is(events[n], "fsync", source)]
            if not written or not synced or max(synced) < max(written):
                raise Mismatch(f"rename of {source}", "a file that was written and synced", events)
            if not any(_is(e, "fsync_dir", _folder(target)) for e in events[place:]):
                raise Mismatch(f"rename to {target}", "a sync of its folder", events)
        if not renames:
            raise Mismatch(self.write.name, "an atomic replacement", events)
        if not _declared(events, renames):
            raise Mismatch(self.write.name, "an intent, whole and durable, before it", events)
        return f"{len(renames)} replacements"


def _declared(events: Sequence[Event], renames: Sequence[int]) -> bool:
    """Tell whether a file that takes no other's place was written and synced before any does."""
    placed = {events[place]["path"] for place in renames}
    before = events[: renames[0]]
    return any(
        event["op"] == "write"
        and event["path"] not in placed
        and any(_is(later, "fsync", event["path"]) for later in before[place:])
        for place, event in enumerate(before)
    )


def _is(event: Event, op: str, path: str) -> bool:
    return bool(event["op"] == op and event.get("path") == path)


@dataclass
class _Disk:
    """Files by their names; contents belong to inodes, as names may change.

    ``names`` are those that the disk has, ``live`` those that the running system saw.
    """

    names: dict[str, int] = field(default_factory=dict)
    live: dict[str, int] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)

    def put(self, name: str, data: bytes) -> None:
        """Give a name to a new inode."""
        self.names[name] = len(self.contents)
        self.contents[self.names[name]] = data

    def happen(self, event: Event, *, arrived: bool) -> None:
        """Let one step happen, whether the disk has it or not."""
        path, to = event.get("path", ""), event.get("to")
        for names in (self.live, self.names) if arrived else (self.live,):
            if event["op"] == "write":
                names[path] = len(self.contents)
            elif event["op"] == "unlink":
                names.pop(path, None)
            elif event["op"] in ("rename", "link") and to is not None:
                names[to] = self.live[path]
        if event["op"] == "write":
            data = base64.b64decode(event.get("data", ""))
            self.contents[len(self.contents)] = data if arrived else b""
        if event["op"] == "rename":
            self.live.pop(path, None)
            if arrived:
                self.names.pop(path, None)


class _Cuts:
    """Rebuilds every state of the disk in a folder of its own and opens the target on it."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def __call__(self, bench: Bench) -> str:
        stage = Stage(bench, self.write)
        before = stage.set_up()
        root = Path(bench.store())
        base = {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not _ignored(path.name)
        }
        said = bench.door.call(*stage.call())["result"]
        if said.get("changed") is not True:
            raise Mismatch(self.write.name, {"changed": True}, said)
        events = [e for e in bench.door.call("inspect", {"part": "io"})["io"] if _counts(e)]
        if not any(event["op"] == "write" and "data" in event for event in events):
            raise BrokeProtocol("inspect io says nothing of what was written (op write with data)")
        after = stage.state()
        count = 0
        for number, kept in _states(events, random.Random(bench.seed)):  # noqa: S311 no secret
            where = f"{self.write.name} cut after step {number} of {len(events)}"
            with tempfile.TemporaryDirectory(prefix="memrules-power-") as folder:
                _rebuild(base, events[:number], kept, Path(folder))
                bench.door.call("open", {**bench.keeping(), "store": folder})
                now = stage.state()
                wanted = [after] if number == len(events) else [before, after]
                if now not in wanted:
                    lost = [events[n] for n in range(number) if n not in kept]
                    shown = [f"{e['op']} {e.get('path')}" for e in lost]
                    raise Mismatch(where, {"one of": wanted}, now, f"lost: {shown}")
            count += 1
        bench.reopen()
        return f"{count} states of the disk"


def _ignored(name: str) -> bool:
    return name.startswith(IGNORED)


def _counts(event: Event) -> bool:
    """Tell whether an event is part of the write; locks and read times are not content."""
    return not _ignored(PurePosixPath(event.get("path", "")).name)


def _states(events: Sequence[Event], chance: random.Random) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield how far the write got, and which of its steps the disk has."""
    for number in range(len(events) + 1):
        durable = _durable(events[:number])
        free = [
            place
            for place in range(number)
            if place not in durable and events[place]["op"] in (*NAMES, "append")
        ]
        if len(free) <= MOST_FREE:
            choices: Iterator[tuple[int, ...]] = itertools.chain.from_iterable(
                itertools.combinations(free, size) for size in range(len(free) + 1)
            )
        else:
            choices = (
                tuple(place for place in free if chance.random() < 0.5)  # noqa: PLR2004 even
                for _ in range(MOST_STATES // 4)
            )
        for kept in itertools.islice(choices, MOST_STATES):
            yield number, frozenset(durable | set(kept))


def _durable(events: Sequence[Event]) -> set[int]:
    """Return the steps that syncs have made durable."""
    found: set[int] = set()
    of_file: dict[str, set[int]] = {}
    for place, event in enumerate(events):
        path = event.get("path", "")
        if event["op"] in ("write", "append"):
            of_file.setdefault(path, set()).add(place)
        elif event["op"] in ("rename", "link"):
            of_file[event["to"]] = set(of_file.get(path, ()))
        elif event["op"] == "fsync":
            found |= of_file.get(path, set())
        elif event["op"] == "fsync_dir":
            found |= {
                n
                for n, e in enumerate(events[:place])
                if e["op"] in ("mkdir", "rename", "link", "unlink")
                and path in (_folder(e.get("path", "")), _folder(e.get("to") or "-/-"))
            }
    return found


def _folder(path: str) -> str:
    return PurePosixPath(path).parent.as_posix()


def _rebuild(
    base: Mapping[str, bytes], events: Sequence[Event], kept: frozenset[int], folder: Path
) -> None:
    """Write the state of the disk in which only some steps of a write have arrived."""
    disk = _Disk()
    for name, data in base.items():
        disk.put(name, data)
    disk.live = dict(disk.names)
    for place, event in enumerate(events):
        disk.happen(event, arrived=place in kept)
    for name, inode in disk.names.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(disk.contents[inode])
