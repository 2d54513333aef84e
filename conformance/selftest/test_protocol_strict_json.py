"""Both sides of the pipe read and write the same strict JSON."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memrules_conformance.strict_json import (
    LARGEST_INTEGER,
    LONGEST_LINE,
    NotStrictJsonError,
    decode,
    encode,
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
integers = st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)
leaves = st.none() | st.booleans() | integers | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    leaves | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20
)

REFUSED_LINES = {
    b'{"a": 1, "a": 1}': "the key 'a' stands twice",
    b'{"a": {"b": 1, "b": 2}}': "the key 'b' stands twice",
    b"NaN": "JSON has no NaN",
    b"[-Infinity]": "JSON has no -Infinity",
    b"1e999": "beyond what a double holds",
    b"9007199254740992": "beyond 2^53",
    b"-9007199254740992": "beyond 2^53",
    b"1" * 5000: "beyond 2^53",
    b'"\\ud800"': "half of a surrogate pair",
    b'{"\\udc00": 1}': "half of a surrogate pair",
    b'"\xed\xa0\x80"': "byte 1 is not UTF-8",
    b'"\xff"': "byte 1 is not UTF-8",
    b"\xef\xbb\xbf{}": "it is not JSON",
    b"": "it is not JSON",
    b"{} {}": "it is not JSON",
    b"{'a': 1}": "it is not JSON",
    b"[" * 100_000: "nested too deeply",
}

REFUSED_VALUES: list[tuple[Any, str]] = [
    (math.nan, "not JSON compliant"),
    (math.inf, "not JSON compliant"),
    (LARGEST_INTEGER + 1, "beyond 2^53"),
    ({1: "a"}, "the key 1 is not text"),
    ({"a": {"b"}}, "JSON has no set"),
    (b"bytes", "JSON has no bytes"),
    ("\ud800", "half of a surrogate pair"),
]


@given(values)
def test_what_is_written_is_read_as_it_was(value: Any) -> None:
    line = encode(value)

    found = decode(line)

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize(("line", "words"), REFUSED_LINES.items(), ids=range(len(REFUSED_LINES)))
def test_a_line_that_is_not_strict_json_is_refused(line: bytes, words: str) -> None:
    with pytest.raises(NotStrictJsonError, match=words.replace("^", r"\^")):
        decode(line)


@pytest.mark.parametrize(("value", "words"), REFUSED_VALUES, ids=range(len(REFUSED_VALUES)))
def test_a_value_without_a_line_is_refused(value: Any, words: str) -> None:
    with pytest.raises(NotStrictJsonError, match=words.replace("^", r"\^")):
        encode(value)


@pytest.mark.parametrize("text", ['"\\ud83d\\ude00"', '"\U0001f600"'])
def test_a_whole_surrogate_pair_is_one_character(text: str) -> None:
    assert decode(text.encode()) == "\U0001f600"


@pytest.mark.parametrize("number", [LARGEST_INTEGER, -LARGEST_INTEGER])
def test_the_largest_integers_are_read(number: int) -> None:
    assert decode(str(number).encode()) == number


def test_a_line_of_sixteen_mebibytes_is_the_longest() -> None:
    longest = "x" * (LONGEST_LINE - 2)

    assert decode(encode(longest)) == longest
    with pytest.raises(NotStrictJsonError, match="more than 16777216"):
        encode(longest + "x")
    with pytest.raises(NotStrictJsonError, match="more than 16777216"):
        decode(b'"' + longest.encode() + b'x"\n')


def test_tuples_and_mappings_become_lists_and_objects() -> None:
    assert decode(encode({"a": ("b", True, 1)})) == {"a": ["b", True, 1]}
