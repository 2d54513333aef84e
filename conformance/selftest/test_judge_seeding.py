"""A target that cannot be seeded but can save is seeded by saves that say what the seed says."""

from __future__ import annotations

from typing import Any

import pytest

from judging import Plain, check, refusing, run, target
from memrules_conformance.checks import Bench, Outcome, Verdict

RECORD: dict[str, Any] = {
    "layer": "project", "ownerProjectId": "p1", "title": "t", "summary": "s", "when": "",
    "body": "b", "origin": "user", "reviewState": "reviewed", "status": "active", "revision": 1,
    "applicability": "all_in_scope", "bodyAt": "hot", "relations": [], "lastReadAt": None,
}  # fmt: skip
NEEDS = frozenset({"seed.records", "lite.memory_read"})


class ToolServer(Plain):
    """Saves, and cannot be seeded."""

    def __init__(self, **saved: Any) -> None:
        super().__init__(refusing("seed.records"), call=self.save)
        self.saved = {"changed": True, "id": "mem_saved", "revision": 1, **saved}

    def save(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"result": self.saved, "text": ""}


def seeded(plain: Plain, record: dict[str, Any], **world: Any) -> tuple[Outcome, dict[str, str]]:
    ids: dict[str, str] = {}

    def open_it(bench: Bench) -> None:
        ids.update(bench.open({**world, "seed": {"records": {"a": record}}}))

    return run(target(plain), [check("one", open_it, needs=NEEDS)]).outcomes[0], ids


def test_a_seed_that_a_save_can_say_is_saved() -> None:
    plain = ToolServer()

    outcome, ids = seeded(plain, RECORD)

    asked = dict(plain.asked)
    assert outcome.verdict is Verdict.PASS
    assert ids == {"a": "mem_saved"}
    assert "seed" not in asked["open"]
    assert asked["call"] == {
        "op": "memory_save",
        "args": {
            "title": "t", "summary": "s", "when": "", "body": "b",
            "applicability": "all_in_scope", "scope": "project", "resolution": "distinct",
        },
        "as": "seeding",
    }  # fmt: skip


def test_a_global_record_is_saved_as_such() -> None:
    plain = ToolServer()

    seeded(plain, {**RECORD, "layer": "global", "ownerProjectId": None})

    assert dict(plain.asked)["call"]["args"]["scope"] == "global"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "mem_own"),
        ("status", "archived"),
        ("ownerProjectId", "p2"),
        ("ownerProjectId", None),
        ("origin", "project_evolution"),
        ("reviewState", "legacy_unreviewed"),
        ("revision", 2),
        ("relations", [{"to": "b", "type": "related"}]),
        ("bodyAt", "cold"),
        ("lastReadAt", 1),
        ("createdAt", 1),
        ("learning", {"state": "active"}),
        ("previous", {"body": "older"}),
    ],
)
def test_a_seed_that_says_more_is_unsupported_and_says_why(name: str, value: object) -> None:
    outcome, _ = seeded(ToolServer(), {**RECORD, name: value})

    assert outcome.verdict is Verdict.UNSUPPORTED
    assert outcome.message == f"seed.records: no memory_save says {name} {value!r} of a"


def test_a_project_record_without_a_project_is_unsupported() -> None:
    outcome, _ = seeded(ToolServer(), RECORD, project={"confirmed": False})

    assert outcome.verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    "saved",
    [{"changed": False, "id": ""}, {"scopeNote": "kept here"}, {"evictionNote": ["x"]}],
)
def test_a_save_that_does_something_else_is_unsupported(saved: dict[str, Any]) -> None:
    outcome, _ = seeded(ToolServer(**saved), RECORD)

    assert outcome.verdict is Verdict.UNSUPPORTED
    assert "does not store a as the seed says" in outcome.message


def test_a_target_that_can_neither_be_seeded_nor_save_is_unsupported() -> None:
    plain = Plain(refusing("seed.records", "lite.memory_save"))

    outcome, _ = seeded(plain, RECORD)

    assert outcome.verdict is Verdict.UNSUPPORTED
    assert outcome.message == "seed.records: not here"


def test_a_target_that_can_be_seeded_is() -> None:
    plain = Plain(open=lambda params: {"ids": {"a": "mem_1"}, "roots": {"store": params["store"]}})

    outcome, ids = seeded(plain, RECORD)

    assert outcome.verdict is Verdict.PASS
    assert ids == {"a": "mem_1"}
    assert dict(plain.asked)["open"]["seed"] == {"records": {"a": RECORD}}
