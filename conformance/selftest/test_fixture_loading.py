"""What a malformed fixture file gets: every fault at once, with line, path and what to do."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from fixture_cases import INVALID, VALID_FAIL, VALID_PASS, read, said
from judging import rules
from memrules_conformance.fixtures import load_cases
from memrules_spec import SpecError, fixtures_folder

if TYPE_CHECKING:
    from pathlib import Path

CASE = """
format: 1
clauses: [LM-0.7]
cases:
  - id: live
    name: a live record is read
    given: {records: {a: {}}}
    steps:
      - {call: memory_read, args: {id: {$id: a}}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fixtures = tmp_path / "fixtures"
    (fixtures / "lite/read").mkdir(parents=True)
    shutil.copy(fixtures_folder() / "lite/defaults.yaml", fixtures / "lite/defaults.yaml")
    (fixtures / "lite/read/live.yaml").write_text(CASE, encoding="utf-8")
    return fixtures


def faults_of(folder: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_cases(rules(), folder)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("file", INVALID, ids=lambda file: file.stem)
def test_every_fault_is_said_at_once_in_its_words(file: Any) -> None:
    cases, faults = read(file.read_text(encoding="utf-8"), file.name)

    assert cases == []
    assert faults == [f"{file.name}:{line}" for line in said(file, "refused")]


def test_the_runner_has_cases_of_each_kind() -> None:
    assert len(INVALID) >= 8
    assert len(VALID_PASS) >= 3
    assert len(VALID_FAIL) >= 2


def test_a_case_is_read_from_its_folder(folder: Path) -> None:
    (case,) = load_cases(rules(), folder)

    assert case.check_id == "lite/read/live#live"
    assert (case.family, case.area, case.binding) == ("lite", "read", "strict")
    assert case.line == 5


def test_the_faults_of_all_files_come_at_once(folder: Path) -> None:
    for name in ("one", "two"):
        text = CASE.replace("memory_read", "memory_raed")
        (folder / f"lite/read/{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "lite/stray.yaml").write_text(CASE, encoding="utf-8")

    found = faults_of(folder)

    words = "9: cases[0].steps[0].call: 'memory_raed' is no operation; did you mean memory_read?"
    assert found == [
        "fixtures/lite/stray.yaml: lies in no area; move it into a folder of its area",
        f"fixtures/lite/read/one.yaml:{words}",
        f"fixtures/lite/read/two.yaml:{words}",
    ]


def test_a_folder_without_cases_is_refused(folder: Path) -> None:
    (folder / "lite/read/live.yaml").unlink()

    assert "holds no case" in faults_of(folder)[0]


def test_a_family_without_rules_is_refused(folder: Path) -> None:
    shutil.copytree(folder / "lite", folder / "other")

    assert faults_of(folder) == ["fixtures/other/read/live.yaml: there are no rules other"]


def test_faulty_defaults_are_refused_with_their_line(folder: Path) -> None:
    file = folder / "lite/defaults.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("mono: 0", "mono: soon"), encoding="utf-8")

    assert faults_of(folder) == [
        "fixtures/lite/defaults.yaml:6: world.clock.mono: 'soon' is not of type 'integer'"
    ]


def test_a_byte_that_is_not_utf_8_is_refused(folder: Path) -> None:
    (folder / "lite/read/live.yaml").write_bytes(b"name: \xff")

    assert faults_of(folder) == [
        "fixtures/lite/read/live.yaml: byte 6 is not UTF-8; save the file as UTF-8"
    ]


def test_the_clauses_and_readings_of_a_case_come_before_those_of_its_file() -> None:
    of_the_case = "clauses: [LM-3.52]\n    readings: {expired-trial-code: not_applicable}"
    text = CASE.replace("[LM-0.7]", "[LM-0.7]\nreadings: {expired-trial-code: gone}")
    text = text.replace("    given", f"    {of_the_case}\n    given")

    (case,), faults = read(text)

    assert faults == []
    assert case.clauses == ("LM-3.52",)
    assert case.binding == "open"
    assert case.readings == {"expired-trial-code": "not_applicable"}


def test_a_binding_may_be_softer_than_that_of_the_clause() -> None:
    (case,), _ = read(CASE.replace("    given", "    binding: advisory\n    given"))

    assert case.binding == "advisory"


def test_a_row_is_looked_up_under_the_readings_of_the_case() -> None:
    rows = CASE.replace("    given", "    rows: [read_result/R7b]\n    given")
    under = "readings: {links-budget: bodies}"

    (case,), faults = read(rows.replace("[LM-0.7]", f"[LM-0.7]\n{under}"))
    _, others = read(rows)

    assert faults == []
    assert case.rows == ("read_result/R7b",)
    assert "read_result has no row R7b" in others[0]
