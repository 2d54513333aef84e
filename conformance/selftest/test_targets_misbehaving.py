"""A target that misbehaves costs one verdict, says why, and leaves nothing behind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import judging
from judging import run
from memrules_conformance.checks import Verdict
from memrules_conformance.judge import Options
from memrules_conformance.stdio import Limits
from memrules_conformance.targets import target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Bench, Check, Outcome
    from memrules_conformance.report import Report

QUICK = Options(limits=Limits(call=4.0, hello=30.0))

ERRORS = {
    "noise": "it is not JSON: Expecting value at 0; the line begins: debug: reading mem_trigger",
    "silence": "no answer to call within 4 s",
    "wrong_id": "answers 999, which is no open request",
    "half_a_line": "no answer to call within 4 s; half a line came: {",
    "half_a_line_and_exit": "ended with exit code 0 in call after half a line: {",
    "two_answers": "which is no open request",
    "not_utf8": "is not UTF-8",
    "duplicate_key": "the key 'text' stands twice in one object",
    "surrogate": "a text holds half of a surrogate pair",
    "fifty_megabytes": "a line is longer than 16777216 bytes",
    "unknown_field": "the result of memory_read breaks its schema",
    "exit_in_the_middle": "ended with exit code 7 in call",
    "traceback_on_stderr": "ended with exit code 1 in call; its stderr ends: ",
    "orphan": "ended with exit code 0 in call",
    "unasked_stop": "and was not told to",
}

REFUSALS = {
    "newer_protocol": "speaks protocol 2, and this kit speaks 1",
    "unknown_reading": "declares a reading that does not exist: 'no-such-reading'",
    "unknown_capability": "'lite.fly', and there is no such capability",
    "banner": "the line begins: my-memory 1.0 ready",
}


@pytest.fixture(autouse=True)
def _with_the_scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PYTHONPATH", str(judging.HERE))
    yield
    assert judging.left_behind() == []


def judged(name: str) -> Report:
    return run(judging.command(name), judging.THREE, QUICK)


@pytest.mark.parametrize("name", ERRORS)
def test_a_fault_costs_one_verdict_and_the_other_checks_still_run(name: str) -> None:
    report = judged(name)

    verdicts = [outcome.verdict for outcome in report.outcomes]
    message = report.outcomes[1].message
    assert verdicts == [Verdict.PASS, Verdict.ERROR, Verdict.PASS], report.outcomes
    assert ERRORS[name] in message
    assert len(message) < 2_000
    assert "memrules_conformance" not in message
    assert report.exit_code() == 1


@pytest.mark.parametrize("name", REFUSALS)
def test_a_target_that_cannot_be_judged_is_refused_in_words(name: str) -> None:
    report = judged(name)

    assert REFUSALS[name] in report.refused
    assert report.outcomes == ()
    assert report.exit_code() == 3


def test_a_child_that_outlives_a_polite_target_is_ended() -> None:
    report = judged("quiet_orphan")

    assert [outcome.verdict for outcome in report.outcomes] == 3 * [Verdict.PASS]
    assert judging.left_behind() == []


def test_terminal_escapes_are_spelled_out() -> None:
    outcome = judged("terminal_escapes").outcomes[1]

    assert outcome.verdict is Verdict.FAIL
    assert outcome.actual == "\\x1b]0;owned\\x07\\x1b[2Jb\\u202e"
    assert not {"\x1b", "\x07", "\u202e"} & set(outcome.message)


def test_what_stands_on_stderr_is_kept() -> None:
    message = judged("traceback_on_stderr").outcomes[1].message

    assert "Input should be a valid integer" in message
    assert "\n" not in message


def test_a_target_that_reads_nothing_is_ended_in_time() -> None:
    def ask_at_length(bench: Bench) -> None:
        bench.open({})
        bench.door.call("call", {"op": "memory_read", "args": {"id": "x" * 1_000_000}})

    began = time.monotonic()
    report = run(judging.command("deaf"), [judging.check("deaf", ask_at_length)], QUICK)

    assert report.outcomes[0].verdict is Verdict.ERROR
    assert time.monotonic() - began < 10


def test_five_lost_targets_in_a_row_end_the_run() -> None:
    asked: list[str] = []

    def counted(name: str) -> Check:
        def run_it(bench: Bench) -> None:
            asked.append(name)
            bench.open({})

        return judging.check(name, run_it)

    report = run(judging.command("dying"), [counted(f"c{n}") for n in range(8)], QUICK)

    assert asked == ["c0", "c1", "c2", "c3", "c4"]
    assert {outcome.verdict for outcome in report.outcomes} == {Verdict.ERROR}
    assert "lost 5 times" in report.outcomes[7].message


def test_a_lost_target_between_good_ones_does_not_end_the_run() -> None:
    checks = 4 * judging.THREE

    outcomes: tuple[Outcome, ...] = run(
        judging.command("exit_in_the_middle"), checks, QUICK
    ).outcomes

    assert [o.verdict for o in outcomes] == 4 * [Verdict.PASS, Verdict.ERROR, Verdict.PASS]


@pytest.mark.parametrize("text", ["stdio:no-such-program-here", "stdio:/"])
def test_a_command_that_is_not_there_is_refused_in_words(text: str) -> None:
    report = run(target_of(text), judging.THREE, QUICK)

    assert report.refused.startswith(f"{text} could not be started: ")
    assert report.exit_code() == 3
