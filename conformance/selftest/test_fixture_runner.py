"""The runner's own cases: every kind of step and matcher, passing and failing as it must."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import small_memory
from fixture_cases import VALID_FAIL, VALID_PASS, read, said, sound
from judging import HERE, run
from memrules_conformance.checks import Verdict
from memrules_conformance.fixtures import check_of
from memrules_conformance.judge import Options
from memrules_conformance.targets import PythonTarget

if TYPE_CHECKING:
    from memrules_conformance.fixtures import Case

IN_PROCESS = PythonTarget("small", factory=small_memory.make)
HOSTED = {"kill", "spawn", "stop_at"}


@pytest.fixture(autouse=True)
def hosting(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)


def verdicts(cases: list[Case]) -> dict[str, tuple[Verdict, str]]:
    """Return the verdict and the words of each case, by its id."""
    checks = [check_of(case) for case in cases]
    options = Options(retry=False)
    hosted = [check for check in checks if check.needs & HOSTED]
    plain = [check for check in checks if not check.needs & HOSTED]
    reports = [run(IN_PROCESS, plain, options)] if plain else []
    if hosted:
        reports.append(run("python:small_memory:make", hosted, options))
    return {
        outcome.check.id.partition("#")[2]: (
            outcome.verdict,
            f"{outcome.where}:{outcome.message.partition(';')[2]}",
        )
        for report in reports
        for outcome in report.outcomes
    }


@pytest.mark.parametrize("file", VALID_PASS, ids=lambda file: file.stem)
def test_every_case_passes_that_says_what_the_target_does(file: Any) -> None:
    cases = sound(file)

    found = verdicts(cases)

    assert found.keys() == {case.id for case in cases}
    assert {name: v for name, v in found.items() if v[0] is not Verdict.PASS} == {}


@pytest.mark.parametrize("file", VALID_FAIL, ids=lambda file: file.stem)
def test_every_case_fails_that_says_anything_else(file: Any) -> None:
    cases = sound(file)

    found = verdicts(cases)

    assert {verdict for verdict, _ in found.values()} == {Verdict.FAIL}
    assert [f"{case.id}: {found[case.id][1]}" for case in cases] == said(file, "fails")


STOPPED = """
format: 1
clauses: [LM-0.10]
cases:
  - id: c
    name: an operation that stops
    given: {records: {a: {}}}
    steps:
      - {fault: {stop_at: save.before}}
"""
SAVE = "      - {call: memory_save, args: {id: {$id: a}, body: b2}%s}\n"
READ = "      - {call: memory_read, args: {id: {$id: a}}}\n"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (SAVE % "", "steps[1] still waits at a point; resume or kill it"),
        (SAVE % "" + READ, "steps[2] asks while steps[1] waits; resume or kill it"),
        (SAVE % "" + "      - {reopen: true}\n", "steps[1] still waits at a point"),
        (
            SAVE % ", expect: {changed: true, id: x}"
            + "      - {kill: true}\n      - {reopen: true}\n",
            "steps[1].expect: its answer never comes; take it out",
        ),
    ],
)
def test_a_case_that_leaves_an_operation_waiting_is_our_own_fault(steps: str, words: str) -> None:
    cases, faults = read(STOPPED + steps)
    assert faults == []

    (outcome,) = run("python:small_memory:make", map(check_of, cases)).outcomes

    assert outcome.verdict is Verdict.HARNESS_ERROR
    assert words in outcome.message


def test_a_target_that_stops_nowhere_fails_the_step_that_resumes_it() -> None:
    cases, _ = read(STOPPED + READ + "      - {resume: {}}\n")

    (outcome,) = run("python:small_memory:make", map(check_of, cases)).outcomes

    assert outcome.verdict is Verdict.FAIL
    assert outcome.where == "steps[2]"


def test_a_case_that_resumes_what_it_never_stopped_is_refused() -> None:
    never = STOPPED.replace("      - {fault: {stop_at: save.before}}\n", "")

    cases, faults = read(never + READ + "      - {resume: {}}\n")

    assert cases == []
    assert "cases[0].steps[1]: nothing is told to stop before" in faults[0]


def test_a_stop_that_nothing_reaches_is_an_error() -> None:
    cases, _ = read(STOPPED + READ)

    (outcome,) = run("python:small_memory:make", map(check_of, cases)).outcomes

    assert outcome.verdict is Verdict.ERROR
    assert "save.before" in outcome.message


def test_what_was_set_lasts_over_a_reopening() -> None:
    text = """
format: 1
clauses: [LM-0.10]
cases:
  - id: c
    name: a world that changes and is opened again
    steps:
      - {set: {advance_ms: 5, runtime: {shell: bash}}}
      - {set: {now: 9}}
      - {set: {issue_context: {kind: valid}}}
      - {reopen: true}
"""
    seen: list[dict[str, Any]] = []

    class Watched(small_memory.SmallMemory):
        def open(self, params: dict[str, Any]) -> dict[str, Any]:
            seen.append(params)
            return super().open(params)

    cases, _ = read(text)
    (outcome,) = run(PythonTarget("watched", factory=Watched), map(check_of, cases)).outcomes

    first, second = seen
    assert outcome.verdict is Verdict.PASS
    assert second["keep"] is True
    assert second["clock"] == {"mode": "manual", "now": 9, "mono": 5}
    assert second["runtime"] == {"shell": "bash"}
    assert second["switches"] == first["switches"]
    assert "issue_context" not in second
