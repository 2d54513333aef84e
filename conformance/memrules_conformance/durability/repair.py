"""A damaged cold body that is put right: the kit puts the very bytes back that were there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memrules_conformance.checks import BrokeProtocol, Check, Mismatch
from memrules_conformance.worlds.seeds import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench

NEEDS = frozenset(
    {"seed.records", "seed.cold", "damage", "lite.panel_restore_cold", "lite.panel_show"}
)
BODY = "marker marker marker"


def repair_checks() -> Iterator[Check]:
    """Yield, for each kind of damage, the check that a body put right comes back."""
    for how in ("flip", "truncate", "lose"):
        yield Check(
            id=f"durability:lite/repair/{how}",
            area="lifecycle",
            clauses=("LM-8.36", "LM-8.18"),
            binding="strict",
            level="default",
            kind="durability",
            run=_PutRight(how),
            needs=NEEDS,
            name=f"a cold body is restored when its damage ({how}) is put right",
        )


class _PutRight:
    """Damages a cold body, puts its bytes back, and restores it."""

    def __init__(self, how: str) -> None:
        self.how = how

    def __call__(self, bench: Bench) -> str:
        seed = {"records": {"a": record(status="archived", bodyAt="cold", body=BODY)}}
        args = {"id": bench.open({"seed": seed})["a"]}
        store = Path(bench.store())
        before = _contents(store)
        bench.door.call("fault", {"damage": {"cold": "a", "how": self.how}})
        damaged = [name for name, content in before.items() if _now(store / name) != content]
        if not damaged:
            raise BrokeProtocol(f"the damage {self.how} changed no file of the store")
        refused = _call(bench, "panel_restore_cold", args)
        if refused["changed"] is not False:
            raise Mismatch("$.changed while damaged", expected=False, actual=refused["changed"])
        for name in damaged:
            (store / name).write_bytes(before[name])
        restored = _call(bench, "panel_restore_cold", args)
        if restored["changed"] is not True:
            raise Mismatch("panel_restore_cold, put right", {"changed": True}, restored)
        shown = _call(bench, "panel_show", args)
        if shown.get("body") != BODY:
            raise Mismatch("$.body", BODY, shown.get("body"))
        return f"{len(damaged)} files put right"


def _call(bench: Bench, op: str, args: dict[str, Any]) -> dict[str, Any]:
    """Return the result of an operation."""
    result: dict[str, Any] = bench.door.call("call", {"op": op, "args": args})["result"]
    return result


def _contents(store: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a store."""
    return {
        path.relative_to(store).as_posix(): path.read_bytes()
        for path in sorted(store.rglob("*"))
        if path.is_file()
    }


def _now(path: Path) -> bytes | None:
    """Return the bytes of a file, or None if it is gone."""
    return path.read_bytes() if path.is_file() else None
