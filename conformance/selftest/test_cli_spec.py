"""``memrules spec``, ``explain`` and ``smoke``."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest

from commanding import GONE, run, shell, suite_made_once
from memrules_conformance.commands.documents import document_faults
from memrules_spec import Rules, data_folder, strict_yaml
from memrules_spec.schemas import validate

if TYPE_CHECKING:
    from pathlib import Path

    Capture = pytest.CaptureFixture[str]


__all__ = ["suite_made_once"]
pytestmark = pytest.mark.usefixtures("suite_made_once")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a folder of rules that a test may change."""
    folder = tmp_path / "spec"
    folder.mkdir()
    shutil.copytree(data_folder() / "lite", folder / "lite")
    return folder


class TestSpecCheck:
    def test_the_rules_have_no_fault(self, capsys: Capture) -> None:
        said = run(capsys, "spec", "check", "--format", "json")

        assert said.code == 0
        assert validate(said.data(), "spec-check") == []
        clauses = said.data()["families"]["lite"]["clauses"]
        assert clauses["total"] == clauses["covered"] + clauses["reasoned"] + clauses["uncovered"]
        assert clauses["total"] == sum(s["total"] for s in clauses["sections"].values())
        tables = {table["id"]: table for table in said.data()["families"]["lite"]["tables"]}
        assert tables["lite/eligibility"]["combinations"] == 45360
        assert all(table["gaps"] == 0 and table["dead"] == [] for table in tables.values())

    def test_the_text_has_a_line_for_each_section_and_table(self, capsys: Capture) -> None:
        said = run(capsys, "spec", "check")

        assert said.code == 0
        lines = said.out.splitlines()
        sections = ["前言", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"]
        assert [line.split()[0] for line in lines[1:12]] == sections
        assert sum(line.startswith("lite/") for line in lines) == len(Rules.load().tables) + len(
            Rules.load().machines
        )
        assert lines[-1] == "no fault"

    def test_a_deleted_row_is_a_gap_with_a_combination_that_shows_it(
        self, capsys: Capture, copied: Path
    ) -> None:
        table = copied / "lite" / "tables" / "lock-wait.yaml"
        lines = table.read_text("utf-8").splitlines(keepends=True)
        table.write_text("".join(line for line in lines if "id: W2" not in line), "utf-8")

        said = run(capsys, "spec", "check", "--spec", str(copied))

        assert said.code == 1
        assert (
            "spec/lite/tables/lock-wait.yaml: rows: under the defaults 1 combinations have no"
            in (said.out)
        )
        assert "waited=>lock_wait_ms" in said.out

    def test_malformed_files_are_all_told_with_their_lines(
        self, capsys: Capture, copied: Path
    ) -> None:
        (copied / "lite" / "limits.yaml").write_text("format: 2\n")
        (copied / "lite" / "messages.yaml").write_text("format: 1\nformat: 1\n")

        said = run(capsys, "spec", "check", "--spec", str(copied), "--format", "json")

        assert said.code == 1
        assert validate(said.data(), "spec-check") == []
        assert {(f["file"], f["line"]) for f in said.data()["faults"]} >= {
            ("spec/lite/limits.yaml", 1),
            ("spec/lite/messages.yaml", 2),
        }

    def test_a_changed_document_points_at_the_clauses_to_read_again(
        self, capsys: Capture, copied: Path, tmp_path: Path
    ) -> None:
        lines = [f"line {number}" for number in range(1, 154)]
        document = tmp_path / "lite-memory.md"
        document.write_text("\n".join(lines), "utf-8")
        digest = hashlib.sha256(document.read_bytes()).hexdigest()
        for file in (copied / "lite" / "clauses").glob("*.yaml"):
            text = file.read_text("utf-8")
            for clause in strict_yaml.load(file)["clauses"]:
                own = "\n".join(lines[n - 1] for n in clause["source"]["lines"])
                now = hashlib.sha256(own.encode()).hexdigest()[:16]
                listed = ", ".join(map(str, clause["source"]["lines"]))
                old = f"{{lines: [{listed}], digest: {clause['source']['digest']}}}"
                text = text.replace(old, f"{{lines: [{listed}], digest: '{now}'}}")
            whole = strict_yaml.load(file)["document"]["sha256"]
            file.write_text(text.replace(whole, digest), "utf-8")
        rules = Rules.load(copied)
        assert document_faults(rules, tmp_path) == []

        lines[64] += " changed"
        document.write_text("\n".join(lines), "utf-8")
        arguments = ("spec", "check", "--spec", str(copied), "--documents", str(tmp_path))
        said = run(capsys, *arguments)

        assert said.code == 1
        named = {c.id for c in rules.clauses.values() if 65 in c.lines}
        assert "LM-3.33" in named
        told = {line.split(": ")[2] for line in said.out.splitlines() if "read them again" in line}
        assert told == named

    def test_a_folder_without_the_document_is_said(self, capsys: Capture, tmp_path: Path) -> None:
        said = run(capsys, "spec", "check", "--documents", str(tmp_path))

        assert said.code == 1
        assert "lite-memory.md: cannot be read: No such file or directory" in said.out


class TestSpecShowAndDecide:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("LM-3.33", "source: lite, section 三, lines 65"),
            ("lock_wait", "waited: <=lock_wait_ms, >lock_wait_ms"),
            ("lite/lock_wait", "W2: otherwise writer busy  [LM-8.20, LM-8.22]"),
            ("lock_wait/W1", "LM-8.20 "),
            ("archived-read", "gone (default)"),
            ("learning", "paused + weak_evidence: paused  [LM-7.13]"),
        ],
    )
    def test_each_part_is_shown_by_its_name(self, capsys: Capture, name: str, words: str) -> None:
        said = run(capsys, "spec", "show", name)

        assert said.code == 0
        assert words in said.out

    def test_an_unknown_name_is_wrong_usage(self, capsys: Capture) -> None:
        said = run(capsys, "spec", "show", "no_such")

        assert said.code == 2
        assert said.err.startswith("no_such is no clause, table, row (TABLE/ROW), machine or read")

    @pytest.mark.parametrize(
        ("waited", "writer", "row"),
        [("500", "waits", "W1"), ("501", "busy", "W2"), (">lock_wait_ms", "busy", "W2")],
    )
    def test_a_table_is_asked(self, capsys: Capture, waited: str, writer: str, row: str) -> None:
        said = run(capsys, "spec", "decide", "lock_wait", f"waited={waited}", "--format", "json")

        assert said.code == 0
        assert said.data()["outcome"] == {"writer": writer}
        assert said.data()["row"] == row

    def test_a_reading_changes_what_is_decided(self, capsys: Capture) -> None:
        inputs = [
            "switch=on", "context=routed_default", "id_format=ok", "lookup=decidable",
            "gate=gone_archived", "view=body", "bodies=left", "body_at=cold_ok",
        ]  # fmt: skip
        plain = run(capsys, "spec", "decide", "read_result", *inputs)
        other = run(
            capsys,
            "spec",
            "decide",
            "read_result",
            *inputs,
            "--readings",
            "archived-read=cold_body",
        )

        assert plain.out.startswith("status: gone\ncontent: absent\nrow R4a ")
        assert other.out.startswith("status: ok\ncontent: current_body\nrow R11a ")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["no_such"], "there is no table no_such; there are lite/"),
            (["lock_wait"], "lite/lock_wait needs waited, one of <=lock_wait_ms, >lock_wait_ms"),
            (["lock_wait", "waited=long"], "'long' is not one of"),
            (["lock_wait", "waited=1", "more=1"], "has no input more"),
        ],
    )
    def test_wrong_inputs_are_wrong_usage(
        self, capsys: Capture, arguments: list[str], words: str
    ) -> None:
        said = run(capsys, "spec", "decide", *arguments)

        assert said.code == 2
        assert words in said.err

    def test_a_reader_that_stops_early_sees_no_traceback(self, tmp_path: Path) -> None:
        said = shell("memrules spec show eligibility | head -n 1", tmp_path)

        assert (
            said.out == "table lite/eligibility: view.eligibility(record, runtime, purpose, now)\n"
        )
        assert said.err == ""


class TestExplain:
    def test_a_clause_is_explained_with_its_readings_checks_and_rows(self, capsys: Capture) -> None:
        said = run(capsys, "explain", "LM-3.47")

        assert said.code == 0
        assert "section 三" in said.out
        assert "reading archived-read: " in said.out
        assert "  gone (default): " in said.out
        assert "  lite/read_result/R4a: " in said.out
        assert "  table:lite/read_result/R4a@decide" in said.out

    def test_a_fixture_is_explained_with_the_rows_that_decide_it(self, capsys: Capture) -> None:
        said = run(capsys, "explain", "lite/read/budget#none-left")

        assert said.code == 0
        assert "1. memory_read " in said.out
        assert "the reference: pass" in said.out
        assert "    lite/read_result/R8: when bodies is used_up, " in said.out
        assert "gate=ok, view=body, bodies=used_up" in said.out

    def test_what_is_neither_is_wrong_usage_with_what_may_be_meant(self, capsys: Capture) -> None:
        said = run(capsys, "explain", "LM-3.3x")

        assert said.code == 2
        assert "did you mean LM-3.3 " in said.err


class TestSmoke:
    def test_it_says_what_works_and_what_to_do_next(self, capsys: Capture) -> None:
        said = run(capsys, "smoke", "python:first_steps:make_target")

        assert said.code == 0
        lines = said.out.splitlines()
        assert lines[1].split() == ["works", "an", "empty", "world", "opens", "and", "closes"]
        assert "  not yet        an unknown id is gone: lite.memory_read: not written" in lines
        assert lines[-1] == "next: let call memory_read answer {result: {status: gone}, text}"

    def test_what_answers_wrong_is_one(self, capsys: Capture) -> None:
        said = run(capsys, "smoke", GONE)

        assert said.code == 1
        assert (
            "answers wrong  a seeded record is read: $.status: expected 'ok', got 'gone'"
            in said.out
        )

    def test_the_reference_is_ready_for_the_whole_check(self, capsys: Capture) -> None:
        said = run(capsys, "smoke", "reference")

        assert said.code == 0
        assert said.out.splitlines()[-1] == "next: memrules check reference"

    def test_a_target_that_does_not_start_is_three(self, capsys: Capture) -> None:
        said = run(capsys, "smoke", "stdio:no-such-program")

        assert said.code == 3
        assert "next: answer hello on one line of stdout" in said.err
