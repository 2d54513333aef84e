"""A report counts what is claimed and what there is, and says how the program ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from judging import HELLO, check, reading, refusing
from memrules_conformance.capabilities import LEVELS, level_of
from memrules_conformance.checks import Outcome, Verdict
from memrules_conformance.report import Report, Score

if TYPE_CHECKING:
    from memrules_conformance.checks import Check

PASS, FAIL, ERROR = Verdict.PASS, Verdict.FAIL, Verdict.ERROR
UNSUPPORTED, HARNESS_ERROR = Verdict.UNSUPPORTED, Verdict.HARNESS_ERROR


def needing(*needs: str, **fields: Any) -> Check:
    return check("one", reading("mem_a"), needs=frozenset(needs), **fields)


def report(*verdicts: Verdict, hello: dict[str, Any] | None = None, **fields: Any) -> Report:
    outcomes = tuple(Outcome(needing(**fields), verdict) for verdict in verdicts)
    return Report("t", 0, hello=hello or HELLO, outcomes=outcomes)


def test_core_counts_what_is_claimed_and_full_counts_all() -> None:
    totals = report(PASS, PASS, FAIL, ERROR, HARNESS_ERROR, UNSUPPORTED, UNSUPPORTED).totals()

    assert totals.core == Score(2, 5)
    assert totals.full == Score(2, 7)
    assert totals.core.percent == 40


@pytest.mark.parametrize(
    ("binding", "of"), [("strict", 1), ("reading", 1), ("open", 0), ("advisory", 0)]
)
def test_only_strict_and_reading_checks_are_scored(binding: str, of: int) -> None:
    totals = report(PASS, binding=binding).totals()

    assert totals.core == totals.full == Score(of, of)


def test_nothing_of_nothing_is_no_success() -> None:
    assert Score(0, 0).percent == 0


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([PASS], 0),
        ([PASS, UNSUPPORTED], 0),
        ([UNSUPPORTED], 0),
        ([PASS, FAIL], 1),
        ([PASS, ERROR], 1),
        ([PASS, HARNESS_ERROR], 3),
        ([FAIL, HARNESS_ERROR], 3),
        ([], 3),
    ],
)
def test_the_exit_code_says_what_became_of_the_run(verdicts: list[Verdict], code: int) -> None:
    assert report(*verdicts).exit_code() == code


def test_a_target_that_was_refused_ends_with_three() -> None:
    assert Report("t", 0, refused="no").exit_code() == 3


@pytest.mark.parametrize(
    ("required", "code"),
    [
        ("inspect.records", 1),
        ("inspect", 1),
        ("lite", 1),
        ("inspect.notices", 0),
        ("world", 0),
        ("decide", 0),
    ],
)
def test_unsupported_counts_only_where_it_is_required(required: str, code: int) -> None:
    one = needing("inspect.records", "lite.memory_read")
    made = Report(
        "t",
        0,
        hello={**HELLO, **refusing("inspect.records")},
        outcomes=(Outcome(one, UNSUPPORTED),),
    )

    assert made.exit_code() == 0
    assert made.exit_code([required]) == code


def test_a_required_level_counts() -> None:
    one = needing("stop_at")
    hello = {**HELLO, **refusing("stop_at")}

    made = Report("t", 0, hello=hello, outcomes=(Outcome(one, UNSUPPORTED),))

    assert made.exit_code(["durability"]) == 1


@pytest.mark.parametrize(
    ("needs", "level"),
    [
        (["decide"], "decisions"),
        (["lite.memory_read"], "tools"),
        (["lite.memory_read", "seed.records"], "world"),
        (["seed.records", "lite.memory_read", "inspect.records"], "inspect"),
        (["stop_at", "lite.memory_save"], "durability"),
        ([], "decisions"),
    ],
)
def test_a_check_belongs_to_the_highest_level_that_it_needs(needs: list[str], level: str) -> None:
    assert level_of(needing(*needs)) == level


def test_levels_and_areas_are_counted() -> None:
    outcomes = (
        Outcome(needing("decide", area="b"), PASS),
        Outcome(needing("lite.memory_read", area="a"), FAIL),
        Outcome(needing("lite.memory_read", area="b"), PASS),
    )
    made = Report("t", 0, hello=HELLO, outcomes=outcomes)

    levels = made.by_level()

    assert tuple(levels) == LEVELS
    assert levels["decisions"] == {PASS: 1}
    assert levels["tools"] == {FAIL: 1, PASS: 1}
    assert levels["world"] == {}
    assert list(made.by_area().items()) == [("b", {PASS: 2}), ("a", {FAIL: 1})]
