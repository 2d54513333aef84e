"""The suite as items of pytest, run in a folder that holds nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GONE = "python:memrules_conformance.stubs:always_gone"


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code and the output of a pytest that knows the plugin."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "memrules_conformance.plugin"),
            *("-p", "no:cacheprovider", "--memrules-level", "default", "-v", *arguments),
        ],
        cwd=folder,
        env={"PYTHONPATH": str(HERE), "PATH": "", "NO_COLOR": "1", "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_check_is_an_item_and_a_failure_says_how_to_see_it_again(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--memrules-target", GONE, "--memrules-fixture", "lite/read/budget")

    assert code == pytest.ExitCode.TESTS_FAILED
    assert "memrules::lite/read/budget#none-left FAILED" in said
    assert "memrules::lite/read/budget#gone-is-free FAILED" in said
    assert f"again       memrules check {GONE} --fixture 'lite/read/budget#none-left'" in said
    assert "Traceback" not in said


def test_items_are_chosen_as_any_others(tmp_path: Path) -> None:
    code, said = run(
        tmp_path, "--memrules-target", GONE, "--memrules-clause", "LM-3.33", "-k", "R4 and decide"
    )

    assert code == pytest.ExitCode.OK
    assert "memrules::table:lite/read_result/R4@decide PASSED" in said
    assert "1 passed" in said


def test_what_is_unsupported_is_skipped_with_its_reason(tmp_path: Path) -> None:
    code, said = run(
        tmp_path,
        *("--memrules-target", "python:first_steps:make_target"),
        *("--memrules-fixture", "lite/read/budget#none-left", "-ra"),
    )

    assert code == pytest.ExitCode.OK
    assert "unsupported: inspect.records: not written" in said
    assert "1 skipped" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--memrules-target", "nothing"], "nothing is not a target. Write it as"),
        (["--memrules-target", "stdio:no-such"], "no-such: No such file or directory"),
        (["--memrules-target", GONE, "--memrules-area", "rea"], "did you mean read"),
    ],
)
def test_wrong_usage_is_said_in_words(tmp_path: Path, arguments: list[str], words: str) -> None:
    code, said = run(tmp_path, *arguments)

    assert code == pytest.ExitCode.USAGE_ERROR
    assert words in said
    assert "Traceback" not in said


def test_without_a_target_nothing_is_collected(tmp_path: Path) -> None:
    code, said = run(tmp_path)

    assert code == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "memrules::" not in said
