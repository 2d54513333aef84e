"""The runner's own cases: every kind of step and matcher, passing and failing as it must."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
import small_memory
from fixture_cases import VALID_FAIL, VALID_PASS, said, sound
from judging import HERE, run

from memrules_conformance.checks import Verdict
from memrules_conformance.fixtures import check_of
from memrules_conformance.judge import Options
from memrules_conformance.targets import PythonTarget

if TYPE_CHECKING:
    from collections.abc import Callable

    from memrules_conformance.fixtures import Case

IN_PROCESS = PythonTarget("small", factory=small_memory.make)
HOSTED = {"kill", "spawn", "stop_at"}


@pytest.fixture(autouse=True)
def hosting(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)


def verdicts(cases: list[Case]) -> dict[str, tuple[Verdict, str]]:
    """The verdict and the words of each case, by its id."""
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
