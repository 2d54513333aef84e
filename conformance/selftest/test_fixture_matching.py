"""Every matcher and every form: what it takes, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from judging import rules
from memrules_conformance.fixtures.answers import judge, spoken
from memrules_conformance.fixtures.matching import differences
from memrules_conformance.fixtures.reading import names_for
from memrules_conformance.fixtures.values import NoSuchPlaceError, at, resolve

NAMES = names_for(rules(), "lite", {"a": "mem_a"}).keeping({"x": {"deep": [1]}, "t": "界b"})
MESSAGE = {"what": "没有匹配的记忆范围", "next": "wait"}


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (1, 1),
        (1, 1.0),
        (None, None),
        ("é", "é"),
        ({}, {}),
        ({"a": 1, "b": [1, {}]}, {"b": [1, {}], "a": 1}),
        ({"$id": "a"}, "mem_a"),
        ({"$ref": "x"}, {"deep": [1]}),
        ({"$repeat": ["ab", 3]}, "ababab"),
        ({"$join": ["a", {"$id": "a"}]}, "amem_a"),
        ({"$sum": [1, 2, 3]}, 6),
        ({"$less": [9, 2, {"$bytes_of": "t"}]}, 3),
        ({"$bytes_of": "t"}, 4),
        ({"$bytes": {"least": 4, "most": 4}}, "界b"),
        ({"$bytes": {"most": 9}}, ""),
        ({"$type": "object"}, {"a": 1}),
        ({"$reading": "mixed-conditions"}, "not_applicable"),
        ({"$type": "message"}, MESSAGE),
        ({"$type": "id"}, "mem_0"),
        ({"$type": "string"}, ""),
        ({"$type": "text"}, "x"),
        ({"$type": "line"}, "x y"),
        ({"$type": "integer"}, 0),
        ({"$unordered": [1, 2]}, [2, 1]),
        ({"$unordered": [{"$type": "string"}, "b"]}, ["b", "a"]),
        ({"$unordered": [{"$type": "string"}, {"$one_of": ["a", "b"]}, "a"]}, ["a", "b", "c"]),
        ({"$unordered": []}, []),
        ({"$one_of": [1, "a"]}, "a"),
        ({"$fields": {"a": {"$type": "integer"}}}, {"a": 1, "b": 2}),
        ({"$sentence": "scope_unregistered"}, MESSAGE),
        ({"$sentence": "busy_action"}, {"what": "busy", "next": "等一会儿重试"}),
    ],
)
def test_a_value_is_taken(expected: Any, actual: Any) -> None:
    assert differences(expected, actual, NAMES) == []


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        (True, 1, ["$: expected True, got 1"]),
        (1, True, ["$: expected 1, got True"]),
        (0, False, ["$: expected 0, got False"]),
        (1, "1", ["$: expected 1, got '1'"]),
        (
            {"$bytes": {"most": 3}},
            "界b",
            ["$: expected a text of {'most': 3} bytes, got 4: '界b'"],
        ),
        ({"$bytes": {"least": 1}}, 5, ["$: expected a text of {'least': 1} bytes, got -1: 5"]),
        ({"$type": "object"}, [], ["$: expected a value of type object, got []"]),
        (None, False, ["$: expected None, got False"]),
        ("", None, ["$: expected '', got None"]),
        ({}, [], ["$: expected {}, got []"]),
        ({"a": None}, {}, ["$.a: expected None, it is not there"]),
        ({}, {"a": None}, ["$.a: is not expected, got None"]),
        ([1, 2], [2, 1], ["$[0]: expected 1, got 2", "$[1]: expected 2, got 1"]),
        ([1, 2], [1], ["$[1]: expected 2, it is not there"]),
        ([1], [1, 2], ["$[1]: is not expected, got 2"]),
        ("\u00e9", "e\u0301", ["$: expected '\u00e9', got 'e\u0301'"]),
        (
            {"a": [{"b": 1}], "c": 2},
            {"a": [{"b": 3}], "d": 4},
            [
                "$.a[0].b: expected 1, got 3",
                "$.c: expected 2, it is not there",
                "$.d: is not expected, got 4",
            ],
        ),
        ({"$fields": {"a": 1}}, {"a": 2, "b": 2}, ["$.a: expected 1, got 2"]),
        ({"$fields": {"a": 1}}, {"b": 2}, ["$.a: expected 1, it is not there"]),
        ({"$fields": {"a": 1}}, None, ["$: expected an object, got None"]),
        ({"$id": "a"}, "mem_b", ["$: expected 'mem_a', got 'mem_b'"]),
        ({"$ref": "x"}, {"deep": [2]}, ["$.deep[0]: expected 1, got 2"]),
        ({"$repeat": ["ab", 2]}, "abababa", ["$: expected 'abab', got 'abababa'"]),
        ({"$join": ["a", "b"]}, "a", ["$: expected 'ab', got 'a'"]),
        ({"$sum": [1, 2]}, 4, ["$: expected 3, got 4"]),
        ({"$reading": "mixed-conditions"}, "gone", ["$: expected 'not_applicable', got 'gone'"]),
        ({"$one_of": [1, "a"]}, True, ["$: expected one of [1, 'a'], got True"]),
        ({"$unordered": [1, 2]}, {}, ["$: expected a list, got {}"]),
        (
            {"$unordered": [1, 1]},
            [1, 2],
            ["$: expected 1 in any place, it is not there", "$[1]: is not expected, got 2"],
        ),
        ({"$unordered": [1]}, [1, 1], ["$[1]: is not expected, got 1"]),
        ({"$unordered": [1, 2]}, [2], ["$: expected 1 in any place, it is not there"]),
    ],
)
def test_another_value_is_not_and_every_difference_is_said(
    expected: Any, actual: Any, said: list[str]
) -> None:
    assert [str(difference) for difference in differences(expected, actual, NAMES)] == said


@pytest.mark.parametrize(
    ("name", "actual"),
    [
        ("message", "text"),
        ("message", {"what": "x"}),
        ("message", {"what": "x", "next": " "}),
        ("message", {"what": 1, "next": "x"}),
        ("message", {"what": "x", "next": "x", "path": "/x"}),
        ("id", "mem_"),
        ("id", "xmem_1"),
        ("id", 5),
        ("string", 5),
        ("string", None),
        ("text", ""),
        ("text", " \n"),
        ("text", ["x"]),
        ("line", " "),
        ("line", "x\ny"),
        ("line", "x\u2028"),
        ("line", 5),
        ("integer", True),
        ("integer", "1"),
        ("integer", 1.5),
    ],
)
def test_a_value_of_another_type_is_not_taken(name: str, actual: Any) -> None:
    (difference,) = differences({"$type": name}, actual, NAMES)

    assert str(difference) == f"$: expected a value of type {name}, got {actual!r}"


@pytest.mark.parametrize(
    "actual",
    [
        None,
        "没有匹配的记忆范围",
        {"what": "没有匹配的记忆范围"},
        {"what": "记忆范围没有匹配的", "next": "wait"},
        {"what": "没有匹配的记忆范围", "next": "明确不适用"},
        {"what": "没有匹配的记忆范围，适用条件还没确认", "next": "wait"},
    ],
)
def test_a_message_without_exactly_the_sentence_is_not_taken(actual: Any) -> None:
    assert differences({"$sentence": "scope_unregistered"}, actual, NAMES) != []


def test_forms_inside_forms_are_resolved() -> None:
    value = {"$join": [{"$repeat": [{"$id": "a"}, {"$sum": [1, 1]}]}, "!"]}

    assert resolve({"k": [value]}, NAMES) == {"k": ["mem_amem_a!"]}


@pytest.mark.parametrize(
    ("path", "found"), [("$", {"a": [{"b": 1}]}), ("$.a[0].b", 1), ("$.a", [{"b": 1}])]
)
def test_a_path_leads_to_its_value(path: str, found: Any) -> None:
    assert at({"a": [{"b": 1}]}, path) == found


@pytest.mark.parametrize("path", ["$.b", "$.a[1]", "$.a.b", "$[0]", "$.a[0].b.c"])
def test_a_path_to_nothing_is_said(path: str) -> None:
    with pytest.raises(NoSuchPlaceError):
        at({"a": [{"b": 1}]}, path)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({}, 'a "marker" b'),
        ({"deep": [{"body": 'a "marker" b'}]}, ""),
        ({'"marker"': 1}, ""),
        ({"message": {"what": '"marker"', "next": "x"}}, ""),
        ({}, '{"body": "\\"marker\\""}'),
    ],
)
def test_lacks_finds_its_words_wherever_they_stand(answer: Any, text: str) -> None:
    words = '"marker"' if "\\" not in text else '\\"marker\\"'

    with pytest.raises(AssertionError, match="lacks"):
        judge({"lacks": [words]}, answer, text, NAMES, "steps[0]")


def test_lacks_looks_at_escaped_words_too() -> None:
    places = dict(spoken({"b": "\u8bb0"}, "\u8bb0"))

    assert "\\u8bb0" in places["the result as ASCII"]
    assert "\\u8bb0" in places["the text as JSON"]


def test_lacks_minds_upper_case() -> None:
    judge({"lacks": ["Marker"]}, {"b": "marker"}, "MARKER", NAMES, "steps[0]")


def test_says_hears_the_text_and_the_message() -> None:
    answer = {"message": {"what": "it is gone", "next": "wait"}, "body": "silent"}

    judge({"says": ["gone", "wait", "spoken"]}, answer, "spoken", NAMES, "steps[0]")
    with pytest.raises(AssertionError, match="says"):
        judge({"says": ["silent"]}, answer, "spoken", NAMES, "steps[0]")
