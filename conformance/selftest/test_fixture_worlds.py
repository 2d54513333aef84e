"""What a case stands for: the world it begins with, what it needs, its twin, its draft."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_cases import defaults, read
from judging import rules
from memrules_conformance.capabilities import capability_levels
from memrules_conformance.fixtures import Case, check_of, draft, needs_of
from memrules_conformance.fixtures.cases import handles_of, world_of
from memrules_conformance.fixtures.reading import names_for
from memrules_conformance.fixtures.twins import differing_places, refuses
from memrules_spec.faults import dotted

NAMES = names_for(rules(), "lite", {})
FAULTS = (
    "{fault: {damage: {cold: a, how: flip}}},"
    "{fault: {lock: {scope: global, holder: live}}},"
    "{fault: {fail_at: p, error: EIO}}"
)
READ = "{call: memory_read, args: {id: x}}"


def world(**given: Any) -> dict[str, Any]:
    return world_of(given, defaults(), NAMES)


def seeded(**record: Any) -> dict[str, Any]:
    found: dict[str, Any] = world(records={"a": record})["seed"]["records"]["a"]
    return found


def case(given: str = "{}", steps: str = READ, more: str = "") -> Case:
    (found,), faults = read(
        "format: 1\nclauses: [LM-0.7]\ncases:\n"
        f"- {{id: c, name: a case, given: {given}, steps: [{steps}]{more}}}\n"
    )
    assert faults == []
    return found


def test_a_world_that_says_nothing_is_the_default() -> None:
    assert world() == {
        "clock": {"mode": "manual", "now": 1_700_000_000_000, "mono": 0},
        "lang": "zh",
        "project": {"id": "p1", "confirmed": True, "root": "/srv/p1"},
        "runtime": {},
        "context": {},
        "defaults": {},
        "switches": {"memory": "on", "recall": "adaptive"},
        "registry": {"columns": [], "taskKinds": [], "seriesIds": []},
    }


def test_a_record_that_says_nothing_is_the_default() -> None:
    assert seeded() == {
        "layer": "project",
        "ownerProjectId": "p1",
        "title": "t",
        "summary": "",
        "when": "",
        "body": "b",
        "status": "active",
        "origin": "user",
        "reviewState": "reviewed",
        "kind": "note",
        "conditions": [],
        "applicability": "all_in_scope",
        "revision": 1,
        "relations": [],
        "bodyAt": "hot",
        "createdAt": 1_700_000_000_000,
    }


def test_a_part_of_a_world_is_filled_up_or_replaced() -> None:
    found = world(project={"id": "p2"}, switches={"memory": "off"}, runtime=[5], clock={"mono": 7})

    assert found["project"] == {"id": "p2", "confirmed": True, "root": "/srv/p1"}
    assert found["switches"] == {"memory": "off", "recall": "adaptive"}
    assert found["clock"] == {"mode": "manual", "now": 1_700_000_000_000, "mono": 7}
    assert found["runtime"] == [5]


def test_the_owner_is_that_of_the_layer_unless_it_is_said() -> None:
    assert "ownerProjectId" not in seeded(layer="global")
    assert seeded(layer="global", ownerProjectId="p9")["ownerProjectId"] == "p9"
    assert seeded(ownerProjectId=None)["ownerProjectId"] is None
    assert "ownerProjectId" not in seeded(ownerProjectId={"$absent": True})
    records = world(project={"id": "p2"}, records={"a": {}})["seed"]["records"]
    assert records["a"]["ownerProjectId"] == "p2"


def test_conditions_make_a_record_conditional_unless_it_says_otherwise() -> None:
    condition = [{"key": "targetOs", "value": "linux"}]

    assert seeded(conditions=condition)["applicability"] == "conditional"
    assert seeded(conditions=condition, applicability="unresolved")["applicability"] == "unresolved"
    assert "applicability" not in seeded(applicability={"$absent": True})


def test_a_field_that_is_absent_is_left_out() -> None:
    assert "status" not in seeded(status={"$absent": True})


def test_copies_have_handles_titles_and_times_of_their_own() -> None:
    given = {"records": {"r": {"$count": 3, "title": "t{n}", "lastReadAt": 10}, "s": {}}}
    found = world(**given)["seed"]["records"]

    assert handles_of(given) == [*found] == ["r1", "r2", "r3", "s"]
    assert [found[h]["title"] for h in ("r1", "r2", "r3")] == ["t1", "t2", "t3"]
    assert [found[h]["lastReadAt"] for h in ("r1", "r2", "r3")] == [11, 12, 13]


def test_files_are_text_or_bytes() -> None:
    files = {"a": "记", "b": {"$base64": "/w=="}, "c": {"$repeat": ["x", 3]}}

    assert world(files=files)["seed"]["files"] == {"a": "6K6w", "b": "/w==", "c": "eHh4"}


@pytest.mark.parametrize(
    ("given", "steps", "needs"),
    [
        ("{}", READ, {"lite.memory_read"}),
        ("{records: {a: {}}}", READ, {"lite.memory_read", "seed.records"}),
        (
            "{records: {a: {bodyAt: cold}, b: {relations: [{to: a, type: related}]}}}",
            READ,
            {"lite.memory_read", "seed.records", "seed.cold", "seed.relations"},
        ),
        (
            "{records: {a: {}}, slots: {k: a}, files: {f: x}, tombstones: [mem_x]}",
            "{turn: x}",
            {"seed.records", "seed.slots", "seed.files", "seed.tombstones"},
        ),
        (
            "{runtime: {shell: bash}, lang: en, clock: {now: 1}, script: {organizer: [x]}}",
            "{turn: x}",
            {"set.runtime", "set.clock", "script.organizer"},
        ),
        ("{runtime: {}}", "{turn: x, says: [y]}, {turn: x}", {"lite.inject"}),
        (
            "{}",
            "{set: {advance_ms: 1, issue_context: {kind: valid}, runtime: {}}}",
            {"set.clock", "set.issue_context", "set.runtime"},
        ),
        (
            "{records: {a: {bodyAt: cold}}}",
            FAULTS,
            {"damage", "lock", "fail_at", "seed.records", "seed.cold"},
        ),
        (
            "{}",
            "{fault: {stop_at: p}}, {turn: x}, {resume: {}}, {inspect: io}, {inspect: records}",
            {"stop_at", "inspect.io", "inspect.records"},
        ),
        ("{}", "{kill: true}, {reopen: true}", {"kill"}),
        (
            "{}",
            "{parallel: [[{call: memory_search, args: {query: x}}], [{inspect: slots}]]}",
            {"spawn", "lite.memory_search", "inspect.slots"},
        ),
        ("{}", "{call: memory_read, args: {id: x}, trace: true}", {"lite.memory_read", "trace"}),
    ],
)
def test_a_case_needs_what_it_uses(given: str, steps: str, needs: set[str]) -> None:
    found = needs_of(case(given, steps))

    assert found == needs
    assert found - {"kill", "spawn"} <= capability_levels().keys()


def test_only_a_written_end_needs_a_look_at_the_records() -> None:
    assert "inspect.records" in needs_of(case(more=", then: {records: $unchanged}"))
    assert "inspect.records" not in needs_of(case(more=", then: {files: {$lacks: [x]}}"))


def test_a_check_is_quick_unless_it_starts_processes() -> None:
    assert check_of(case()).level == "quick"
    assert check_of(case(steps="{kill: true}, {reopen: true}")).level == "default"


def test_a_check_says_what_its_case_says() -> None:
    found = check_of(case(more=", readings: {expired-trial-code: gone}"))

    assert (found.id, found.area, found.kind) == ("lite/area/file#c", "area", "fixture")
    assert (found.clauses, found.binding, found.name) == (("LM-0.7",), "strict", "a case")
    assert found.readings == {"expired-trial-code": "gone"}


def differing(one: str, other: str) -> list[str]:
    return [dotted(place) for place in differing_places(case(one), case(other))]


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("{records: {a: {}}}", "{records: {a: {status: active}}}", []),
        ("{records: {a: {}}}", "{}", ["given.records.a"]),
        ("{records: {a: {layer: global}}}", "{records: {a: {}}}", ["given.records.a.layer"]),
        (
            "{records: {a: {body: {$repeat: [x, 2]}}}}",
            "{records: {a: {body: {$repeat: [y, 3]}}}}",
            ["given.records.a.body"],
        ),
        (
            "{records: {a: {conditions: [{key: k, value: v}]}}}",
            "{records: {a: {}}}",
            ["given.records.a.conditions[0]"],
        ),
        (
            "{tombstones: [a, b, c]}",
            "{tombstones: [b, c]}",
            ["given.tombstones[0]"],
        ),
        (
            "{tombstones: [a, b, c]}",
            "{tombstones: [a, x, d]}",
            ["given.tombstones[1]", "given.tombstones[2]"],
        ),
        ("{runtime: {a: 1}}", "{runtime: {a: true}}", ["given.runtime.a"]),
        ("{runtime: 5}", "{}", ["given.runtime"]),
    ],
)
def test_what_differs_is_counted_by_leaves(one: str, other: str, places: list[str]) -> None:
    assert differing(one, other) == places


def test_what_is_expected_is_no_difference() -> None:
    one = case(steps="{call: memory_read, args: {id: x}, expect: {status: ok}, save: {x: $.id}}")
    other = case(
        steps="{call: memory_read, args: {id: x}, says: [x]}, {inspect: slots, expect: {}}"
    )

    assert differing_places(one, other) == []


@pytest.mark.parametrize(
    ("expect", "refusal"),
    [
        ({"status": "ok", "id": "x"}, False),
        ({"status": "gone"}, True),
        ({"status": {"$one_of": ["gone", "needs_context"]}}, True),
        ({"status": {"$one_of": ["gone", "ok"]}}, False),
        ({"status": "ok", "reasonCode": "no_match", "results": [1]}, True),
        ({"status": "ok", "results": []}, True),
        ({"status": "ok", "results": [1]}, False),
        ({"status": "ok", "id": "x", "links": []}, True),
        ({"changed": False, "id": ""}, True),
        ({"changed": True, "id": "x"}, False),
        ({"accepted": False}, True),
        ({"outcome": "published", "injected": {"text": "x", "cards": [1]}}, False),
        ({"outcome": "published", "injected": {"text": "", "cards": []}}, True),
        ({"outcome": "rolled_back", "injected": {"text": "x", "cards": [1]}}, True),
        ({"$one_of": [{"status": "gone"}, {"status": "ok"}]}, False),
        ({"$one_of": [{"status": "gone"}, {"status": "busy"}]}, True),
    ],
)
def test_a_refusal_is_told_by_its_answer(expect: dict[str, Any], refusal: bool) -> None:  # noqa: FBT001
    assert refuses([{"call": "x", "expect": expect}]) is refusal


def test_the_last_step_that_expects_anything_decides() -> None:
    yes, no = {"call": "x", "expect": {"changed": True}}, {"call": "x", "expect": {"status": "x"}}

    assert refuses([yes, no, {"call": "x"}, {"inspect": "slots", "expect": {}}])
    assert not refuses([no, yes])
    assert refuses([{"parallel": [[yes], [no]]}])
    assert refuses([{"turn": "x", "lacks": ["y"]}])
    assert not refuses([{"call": "x"}])


def test_twins_may_differ_in_their_reading_alone() -> None:
    text = """
format: 1
clauses: [LM-1.34]
cases:
  - id: refused
    name: an expired trial is gone
    twin: accepted
    readings: {expired-trial-code: gone}
    steps: [{call: memory_read, args: {id: x}, expect: {status: gone}}]
  - id: accepted
    name: an expired trial is read
    readings: {expired-trial-code: not_applicable}
    steps: [{call: memory_read, args: {id: x}}]
"""
    assert read(text)[1] == []


def test_a_draft_loads_and_stands_for_the_same_world() -> None:
    given: dict[str, Any] = {
        "records": {
            "a": {"status": {"$absent": True}, "title": "yes: #1", "layer": "global"},
            "b": {"conditions": [{"key": "targetOs", "value": "012"}]},
            "c": {"ownerProjectId": {"$absent": True}, "relations": [{"to": "a", "type": "x"}]},
        },
        "slots": {"k": "a"},
        "files": {"f": {"$base64": "/w=="}},
        "project": {"confirmed": False},
        "runtime": {"shell": None},
        "budget": {"reads": 1},
    }
    whole = world_of(given, defaults(), NAMES)
    steps = [{"call": "memory_read", "args": {"id": {"$id": "a"}}, "expect": {"status": "gone"}}]

    text = draft(
        clauses=["LM-1.5"],
        case_id="shrunk",
        name="a record without status is read",
        world={**whole, "family": "lite", "store": "x"},
        steps=steps,
        then={"records": "$unchanged"},
        defaults=defaults(),
    )

    (found,), faults = read(text)
    assert faults == []
    assert found.given == given
    assert world_of(found.given, defaults(), NAMES) == whole
    assert [*found.steps] == steps
    assert found.then == {"records": "$unchanged"}
    assert found.no_twin is not None
