"""Several real processes on one store: no lost update, no torn read, busy only for a reason."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import Check, Mismatch
from memrules_conformance.worlds.seeds import BUDGET, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench, Door

NEEDS = frozenset({"lite.memory_save", "lite.memory_read", "inspect.records", "set.clock"})
WRITERS = 4
SAVES = 250
UPDATES = 60
REAL = {"clock": {"mode": "real", "now": 0, "mono": 0}, "budget": BUDGET}
TRIES = 40


def race_checks() -> Iterator[Check]:
    """Yield the checks that race real processes."""
    yield _check(
        "saves",
        ("LM-4.60", "LM-4.57", "LM-8.20"),
        "saves of several processes are all kept, and an observer never sees a torn store",
        _saves,
        NEEDS,
    )
    yield _check(
        "updates",
        ("LM-4.57", "LM-4.13"),
        "updates of different fields by several processes do not undo one another",
        _updates,
        NEEDS | {"seed.records"},
    )
    yield _check(
        "identical",
        ("LM-4.65", "LM-4.66"),
        "of identical saves that race, one is stored and the others are told",
        _identical,
        NEEDS,
    )


def _check(
    name: str, clauses: tuple[str, ...], says: str, run: Any, needs: frozenset[str]
) -> Check:
    """Return one check of a race."""
    return Check(
        id=f"durability:lite/race/{name}",
        area="durability",
        clauses=clauses,
        binding="open" if name == "identical" else "strict",
        level="long",
        kind="durability",
        run=run,
        needs=needs,
        name=says,
    )


def _call(door: Door, op: str, **args: Any) -> dict[str, Any]:
    """Return the result of one call."""
    result: dict[str, Any] = door.call("call", {"op": op, "args": args})["result"]
    return result


def patient(door: Door, op: str, **args: Any) -> tuple[dict[str, Any], int]:
    """Return the first result that is not busy, and how often it was busy before."""
    for busy in range(TRIES):
        result = _call(door, op, **args)
        if result.get("reason") != "busy":
            return result, busy
        if result.get("changed") is not False:
            raise Mismatch(op, "busy beside changed false", result)
        time.sleep(0.01)
    raise Mismatch(op, f"not busy {TRIES} times in a row", "busy")


def others(bench: Bench, count: int) -> list[Door]:
    """Return doors of new processes to the store that is open."""
    doors = [bench.spawn() for _ in range(count)]
    for door in doors:
        door.call("open", bench.keeping())
    return doors


def _saves(bench: Bench) -> str:
    """Let several processes save at once while another looks on."""
    bench.open(dict(REAL))
    doors = [bench.door, *others(bench, WRITERS - 1)]
    observer = others(bench, 1)[0]
    done = threading.Event()

    def write(number: int) -> tuple[list[str], int]:
        ids: list[str] = []
        waits = 0
        for place in range(SAVES):
            said, busy = patient(
                doors[number], "memory_save", title=f"w{number} {place}", body=f"b{number}.{place}",
                resolution="distinct",
            )  # fmt: skip
            waits += busy
            if said.get("changed") is not True:
                raise Mismatch(f"writer {number}", {"changed": True}, said)
            ids.append(said["id"])
        return ids, waits

    def observe() -> int:
        looks = most = 0
        while not done.is_set():
            count = len(observer.call("inspect", {"part": "records"})["records"])
            if count < most:
                raise Mismatch("observer", f"at least the {most} records seen before", count)
            most = count
            looks += 1
        return looks

    with ThreadPoolExecutor(WRITERS + 1) as pool:
        looking = pool.submit(observe)
        try:
            results = list(pool.map(write, range(WRITERS)))
        finally:
            done.set()
        looks = looking.result()
    stored = observer.call("inspect", {"part": "records"})["records"]
    wanted = sorted(id_ for ids, _ in results for id_ in ids)
    found = sorted(entry["id"] for entry in stored)
    if found != wanted:
        raise Mismatch(
            "records", f"the {len(wanted)} that were acknowledged", f"{len(found)} stored"
        )
    waits = sum(busy for _, busy in results)
    return f"{len(wanted)} saves of {WRITERS} processes, {looks} looks, {waits} times busy"


def _updates(bench: Bench) -> str:
    """Let each process own one field of one record: the last value of each must stand."""
    ids = bench.open({**REAL, "seed": {"records": {"a": record(title="t")}}})
    fields = ("title", "summary", "when", "body")
    doors = [bench.door, *others(bench, len(fields) - 1)]

    def write(number: int) -> str:
        value = ""
        for place in range(UPDATES):
            value = f"{fields[number]} {place}"
            said, _ = patient(doors[number], "memory_save", id=ids["a"], **{fields[number]: value})
            if said.get("changed") is not True:
                raise Mismatch(f"writer of {fields[number]}", {"changed": True}, said)
        return value

    with ThreadPoolExecutor(len(fields)) as pool:
        last = dict(zip(fields, pool.map(write, range(len(fields))), strict=True))
    (stored,) = bench.door.call("inspect", {"part": "records"})["records"]
    found = {field: stored.get(field) for field in fields}
    if found != last:
        raise Mismatch("record", last, found)
    revisions = 1 + UPDATES * len(fields)
    if stored["revision"] != revisions:
        raise Mismatch("revision", revisions, stored["revision"])
    return f"{UPDATES * len(fields)} updates of {len(fields)} processes"


def _identical(bench: Bench) -> str:
    """Let several processes save the same thing at the same moment."""
    for place in range(10):
        bench.open(dict(REAL))
        doors = [bench.door, *others(bench, WRITERS - 1)]
        start = threading.Barrier(WRITERS)

        def save(
            door: Door, start: threading.Barrier = start, place: int = place
        ) -> dict[str, Any]:
            start.wait()
            return _call(door, "memory_save", title=f"t{place}", body="the same body")

        with ThreadPoolExecutor(WRITERS) as pool:
            said = list(pool.map(save, doors))
        stored = len(bench.door.call("inspect", {"part": "records"})["records"])
        told = sum(r.get("changed") is True for r in said)
        asked = sum(r.get("needsResolution") is True or r.get("reason") == "busy" for r in said)
        if stored > 1 or told != stored or told + asked != WRITERS:
            raise Mismatch("identical saves", "one stored, the others asked or busy", said)
        for door in doors[1:]:
            door.close()
    return f"10 rounds of {WRITERS} processes"
