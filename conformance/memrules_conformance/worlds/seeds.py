"""Records and moments that worlds begin with, and what they share."""

from __future__ import annotations

from typing import Any

NOW = 1_700_000_000_000
UNKNOWN_ID = "mem_00000000unknown0"
BODIES = 1_000_000

# What a context of Linux and no machine says of each condition.
HOLDS = {"key": "targetOs", "value": "linux"}
FAILS = {"key": "targetOs", "value": "windows"}
UNREADABLE = {"key": "machine", "value": "m1"}
RUNTIME = {"targetOs": "linux"}
BUDGET = {"reads": 1_000_000, "bytes": 100_000_000, "bodies": BODIES}


def record(**fields: Any) -> dict[str, Any]:
    """Return a whole record that every check lets through, but for the given fields."""
    base: dict[str, Any] = {
        "layer": "global",
        "title": "word{n} t",
        "summary": "",
        "when": "",
        "body": "b{n}",
        "status": "active",
        "origin": "user",
        "reviewState": "reviewed",
        "kind": "note",
        "conditions": [],
        "applicability": "all_in_scope",
        "revision": 1,
        "relations": [],
        "bodyAt": "hot",
        "createdAt": NOW - 1000,
    }
    return {name: value for name, value in {**base, **fields}.items() if value is not None}


def conditional(*conditions: dict[str, Any]) -> dict[str, Any]:
    """Return a record that hangs on conditions and passes every other check."""
    return record(conditions=list(conditions), applicability="conditional")
