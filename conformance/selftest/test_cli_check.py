"""``memrules check``: codes, reports, selections and replays, with the stubs as targets."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from commanding import GONE, OK, Said, run, shell, suite_made_once
from memrules_conformance.checks import Verdict
from memrules_conformance.fixtures import load_cases
from memrules_conformance.judge import Options
from memrules_conformance.judge import run as judge
from memrules_conformance.reports.markdown import MOST_TOLD
from memrules_conformance.selection import MOST_WORLDS, Selection
from memrules_conformance.stubs import STUBS
from memrules_conformance.suite import suite
from memrules_conformance.targets import target_of
from memrules_spec import Rules, fixtures_folder
from memrules_spec.schemas import validate

if TYPE_CHECKING:
    from pathlib import Path

    Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("suite_made_once")

__all__ = ["suite_made_once"]

READ = ("--area", "read", "--level", "quick")


def report(capsys: Capture, *arguments: str) -> Any:
    """Return the JSON report of a check, which is valid whatever came of it."""
    said = run(capsys, "check", *arguments, "--format", "json")
    assert validate(said.data(), "report") == []
    assert said.code == said.data()["exit_code"]
    return said.data()


def verdicts(found: Any) -> dict[str, str]:
    return {check["id"]: check["verdict"] for check in found["checks"]}


class TestWhatIsTyped:
    def test_a_name_that_is_no_target_says_what_to_type(self, capsys: Capture) -> None:
        said = run(capsys, "check", "my_impl")

        assert said == Said(
            2,
            "",
            "my_impl is not a target. Write it as python:MODULE:FACTORY, stdio:COMMAND, "
            "mcp:COMMAND or http:URL,\n"
            "for example: memrules check python:my_impl:make_target\n",
        )

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--level", "some"], "invalid choice: 'some'"),
            (["--workers", "0"], "'0' is not a whole number from 1"),
            (["--timeout", "soon"], "'soon' is not a number above 0"),
            (["--timeout", "nan"], "'nan' is not a number above 0"),
            (["--readings", "archived-read"], "'archived-read' is not KEY=VALUE"),
            (["--readings", "archived-read=now"], "'now' is not gone or cold_body"),
            (["--readings", "no-such=1"], "'no-such' is not the key of a reading"),
            (["--readings", "request-reads=many"], "'many' is not a whole number"),
            (["--require", "lite.fly"], "--require lite.fly: there is no such capability"),
            (["--spec", "nowhere"], "nowhere is no folder"),
            (["--format", "xml"], "invalid choice: 'xml'"),
        ],
    )
    def test_wrong_usage_is_two_and_says_what_is_wrong(
        self, capsys: Capture, arguments: list[str], words: str
    ) -> None:
        said = run(capsys, "check", OK, *arguments)

        assert said.code == 2
        assert said.out == ""
        assert words in said.err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--fixture", "lite/read/budget#none"], "did you mean lite/read/budget#none-left"),
            (["--area", "rea"], "did you mean read"),
            (["--clause", "LM-99.1"], "--clause LM-99.1 names none"),
            (["--family", "menu"], "there are lite"),
            (["--clause", "LM-10.5"], "add --level long"),
            (["--area", "read", "--clause", "LM-7.13"], "--clause LM-7.13 names none"),
        ],
    )
    def test_no_check_selected_is_three_and_says_which_name_names_none(
        self, capsys: Capture, arguments: list[str], words: str
    ) -> None:
        said = run(capsys, "check", OK, *arguments)

        assert said.code == 3
        assert said.out == ""
        assert words in said.err

    def test_a_target_that_does_not_start_is_three_and_says_what_to_do(
        self, capsys: Capture
    ) -> None:
        said = run(capsys, "check", "stdio:no-such-program --now")

        assert said.code == 3
        assert "no-such-program: No such file or directory" in said.out + said.err
        assert "memrules smoke" in said.out + said.err

    def test_broken_rules_are_three_with_every_fault(self, capsys: Capture, tmp_path: Path) -> None:
        (tmp_path / "lite").mkdir()
        (tmp_path / "lite" / "readings.yaml").write_text("format: 1\nformat: 1\n")

        said = run(capsys, "check", OK, "--spec", str(tmp_path))

        assert said.code == 3
        assert "spec/lite/readings.yaml:2" in said.err
        assert "spec/lite/limits.yaml" in said.err


class TestReports:
    def test_json_is_one_object_and_nothing_else(self, capsys: Capture) -> None:
        found = report(capsys, GONE, *READ)

        assert found["target"]["name"] == "always_gone"
        assert found["exit_code"] == 1
        assert {check["area"] for check in found["checks"]} == {"read"}
        assert set(found["stubs"]) == {"always_ok", "always_gone", "always_empty"}
        assert found["totals"] == found["stubs"]["always_gone"]
        passed = [c for c in found["checks"] if c["verdict"] == "pass"]
        scored = [c for c in passed if c["binding"] in ("strict", "reading")]
        assert found["totals"]["full"]["passed"] == len(scored)

    def test_the_text_tells_a_failure_with_all_that_is_needed_to_see_it_again(
        self, capsys: Capture
    ) -> None:
        said = run(capsys, "check", OK, "--fixture", "lite/read/budget#none-left")

        assert said.code == 1
        told = said.out[said.out.index("FAIL ") :].splitlines()
        assert told[0] == "FAIL lite/read/budget#none-left"
        names = [line[2:13].strip() for line in told[2:-2]]
        assert [name for name in names if name] == [
            "clause", "input", "at", "expected", "came back", "note", "decided by", "again",
        ]  # fmt: skip
        assert '{"status": "budget_exhausted"}' in said.out
        assert told[-1] == f"{OK} does not conform: 1 fail"

    def test_the_text_says_what_the_tables_prove_and_what_the_stubs_score(
        self, capsys: Capture
    ) -> None:
        said = run(capsys, "check", GONE, *READ)

        assert " 0 gaps, 0 dead rows" in said.out
        for stub in ("always_ok", "always_gone", "always_empty"):
            assert f"stub {stub} " in said.out

    def test_junit_counts_what_json_counts(self, capsys: Capture) -> None:
        found = report(capsys, GONE, *READ)
        root = ET.fromstring(run(capsys, "check", GONE, *READ, "--format", "junit").out)  # noqa: S314

        cases = list(root.iter("testcase"))
        assert [case.get("name") for case in cases] == list(verdicts(found))
        failed = [case.get("name") for case in cases if case.find("failure") is not None]
        assert failed == [id_ for id_, verdict in verdicts(found).items() if verdict == "fail"]
        assert root.get("failures") == str(len(failed))
        assert root.get("tests") == str(len(cases))

    def test_a_folder_of_reports_holds_every_form(self, capsys: Capture, tmp_path: Path) -> None:
        folder = tmp_path / "deep" / "reports"
        said = run(capsys, "check", GONE, *READ, "--report", str(folder))

        assert (folder / "report.txt").read_text("utf-8") == said.out
        assert validate(json.loads((folder / "report.json").read_text("utf-8")), "report") == []
        assert ET.parse(folder / "junit.xml").getroot().tag == "testsuites"  # noqa: S314
        failed = said.out.count("\nFAIL ") + said.out.count("\n  fail ")
        for name, most in (("report.html", failed), ("report.md", MOST_TOLD)):
            told = (folder / name).read_text("utf-8")
            assert told.count("fail: ") == most <= failed
            assert f"memrules check {GONE} --fixture " in told

    def test_a_folder_that_cannot_be_written_is_said_in_words(
        self, capsys: Capture, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        said = run(capsys, "check", GONE, *READ, "--report", str(tmp_path / "file" / "reports"))

        assert said.code == 2
        assert "file" in said.err

    @pytest.mark.parametrize("stub", STUBS)
    def test_a_stub_scores_little_and_never_brings_the_suite_itself_to_fall(
        self, stub: str
    ) -> None:
        options = Options(hasty=True, retry=False, most_worlds=MOST_WORLDS)
        target = target_of(f"python:memrules_conformance.stubs:{stub}")

        found = judge(target, lambda rules: Selection().of(suite(rules)), options)

        assert found.counts()[Verdict.HARNESS_ERROR] == 0
        strict = [o for o in found.outcomes if o.check.binding == "strict"]
        assert replace(found, outcomes=tuple(strict)).totals().full.percent < 35


class TestSameSeedSameReport:
    def test_two_runs_are_equal(self, capsys: Capture) -> None:
        arguments = ("check", GONE, *READ, "--format", "json", "--seed", "7")
        assert run(capsys, *arguments) == run(capsys, *arguments)

    @pytest.mark.parametrize(
        "more", [["--shuffle"], ["--workers", "2"], ["--shuffle", "--seed", "3"]]
    )
    def test_neither_order_nor_workers_change_a_verdict(
        self, capsys: Capture, more: list[str]
    ) -> None:
        plain = report(capsys, GONE, *READ)
        other = report(capsys, GONE, *READ, *more)

        assert list(verdicts(other).items()) == list(verdicts(plain).items())


class TestReplay:
    def test_the_command_of_a_failure_works_when_it_is_pasted(
        self, capsys: Capture, tmp_path: Path
    ) -> None:
        found = report(capsys, OK, "--clause", "LM-3.33")
        failed = [check for check in found["checks"] if check["verdict"] == "fail"]
        assert {check["kind"] for check in failed} == {"fixture", "vector", "property"}

        for check in (failed[0], failed[-1]):
            said = shell(f"{check['replay']} --format json", tmp_path)
            again = said.data()
            assert [(c["id"], c["verdict"]) for c in again["checks"]] == [(check["id"], "fail")]

    def test_it_names_the_readings_that_were_asked(self, capsys: Capture) -> None:
        found = report(
            capsys, OK, "--fixture", "lite/read/*", "--readings", "archived-read=cold_body"
        )

        assert found["checks"][0]["replay"].endswith("--seed 0 --readings archived-read=cold_body")


class TestSave:
    def test_the_smallest_failure_of_a_property_is_a_fixture_that_loads(
        self, capsys: Capture, tmp_path: Path
    ) -> None:
        area = tmp_path / "fixtures" / "lite" / "read"
        fixture = "property:lite/UnknownIdIsGone"
        run(capsys, "check", OK, "--fixture", fixture, "--save", str(area))

        text = (area / "unknown-id-is-gone.yaml").read_text("utf-8")
        assert text.startswith(f"# {fixture} demands at ")
        shutil.copy(fixtures_folder() / "lite" / "defaults.yaml", area.parent)
        (case,) = load_cases(Rules.load(), tmp_path / "fixtures")
        assert case.clauses[0] == "LM-3.33"
        assert case.steps[-1]["call"] == "memory_read"
        assert "expect" not in case.steps[-1]


class TestRequire:
    def test_what_is_unsupported_changes_nothing_unless_it_is_required(
        self, capsys: Capture
    ) -> None:
        target = "python:first_steps:make_target"
        assert run(capsys, "check", target, "--level", "quick", "--area", "gate").code == 0

        said = run(
            capsys, "check", target, "--level", "quick", "--area", "gate", "--require", "decide"
        )

        assert said.code == 1
        assert "decide: not written" in said.out
