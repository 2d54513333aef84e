"""A new adapter starts at once, and docs/new-adapter.md leads it to ten green checks."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judging import HERE
from memrules_conformance.capabilities import capability_levels
from memrules_conformance.cli import main
from memrules_conformance.skeletons import (
    COMMANDS,
    LANGUAGES,
    BadNameError,
    skeleton,
    write_adapter,
)
from memrules_spec.schemas import validate
from outside import program

PAGE = HERE.parent.parent / "docs" / "new-adapter.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARKER = {"node": "// Grow above this line.\n", "python": "# Grow above this line.\n"}
FENCE = {"node": "js", "python": "python"}
GREEN = 10


def in_language(text: str, language: str) -> str:
    """Return a text of the page as a reader with that language reads it."""
    if language == "node":
        return text
    said = text.replace("--language node", "--language python")
    return said.replace("node mine.mjs", "python mine.py").replace("mine.mjs", "mine.py")


class Terminal:
    """A folder in which commands are typed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def type(self, command: str) -> list[str]:
        """Return the lines that a command prints; it must end well."""
        name, *arguments = shlex.split(command)
        assert name == "memrules", command
        code = main(arguments)
        out, err = self._capsys.readouterr()
        assert code == 0, out + err
        return [*out.splitlines(), *err.splitlines()]


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    monkeypatch.setenv("PATH", os.pathsep.join(programs))
    return Terminal(tmp_path, capsys)


def follow(language: str, terminal: Terminal) -> list[list[str]]:
    """Do what the page says and return what each command printed.

    Every line that the page shows of a command stands in what it prints, in that order.
    """
    file = terminal.folder / f"mine{LANGUAGES[language]}"
    printed = []
    for fence, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if fence == FENCE[language]:
            before = file.read_text(encoding="utf-8")
            assert before.count(MARKER[language]) == 1
            grown = before.replace(MARKER[language], f"{text}\n\n{MARKER[language]}")
            file.write_text(grown, encoding="utf-8")
        elif fence == "console":
            for command, *shown in session(in_language(text, language)):
                lines = terminal.type(command)
                left = iter(lines)
                assert [line for line in shown if not any(line in one for one in left)] == []
                printed.append(lines)
    return printed


def session(text: str) -> list[list[str]]:
    """Return the commands of a block, each with the lines that it shows."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line.removeprefix("$ ")])
        else:
            found[-1].append(line)
    return found


def said_by(command: list[str], method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a program to one request."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    given = f"{json.dumps(request)}\n"
    done = subprocess.run(command, capture_output=True, check=True, input=given, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def program_of(language: str) -> str:
    """Return the path of what runs a language; see outside.program."""
    return sys.executable if language == "python" else program("node")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_leads_to_ten_green_checks(language: str, terminal: Terminal) -> None:
    program_of(language)

    *_, smoke, check = follow(language, terminal)

    verdict = re.search(r"conforms: (\d+) pass", check[-1])
    assert verdict is not None
    assert int(verdict[1]) >= GREEN
    assert len([line for line in smoke if line.startswith("  works ")]) == GREEN


def test_the_page_has_a_block_in_each_language_for_every_step() -> None:
    text = PAGE.read_text(encoding="utf-8")
    fences = [fence for fence, _ in BLOCK.findall(text)]
    steps = len(re.findall(r"^## \d\. ", text, re.MULTILINE))

    assert steps > 0
    assert [fences.count(fence) for fence in FENCE.values()] == [steps, steps]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_skeleton_passes_smoke_at_once_and_supports_nothing(
    language: str, terminal: Terminal
) -> None:
    runs = program_of(language)
    file = write_adapter(terminal.folder, language, "fresh")

    lines = terminal.type(f'memrules smoke "stdio:{COMMANDS[language]} {file.name}"')
    hello = said_by([runs, str(file)], "hello", {"protocol": 1, "readings": {}})["result"]

    marks = {line.split("  ")[1] for line in lines if line.startswith("  ")}
    assert marks == {"works", "not yet"}
    assert {entry["capability"] for entry in hello["unsupported"]} == set(capability_levels())
    assert hello["name"] == "fresh"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("call", {"op": "memory_read", "args": {"id": "mem_a"}}),
        ("open", {"family": "lite", "store": "s", "seed": {"records": {"a": {}}}}),
        ("set", {"switches": {"memory": "off"}}),
        ("inspect", {"part": "records"}),
        ("decide", {"table": "lite/eligibility", "inputs": [{}]}),
    ],
)
def test_a_skeleton_refuses_what_it_does_not_do(
    language: str, method: str, params: dict[str, Any], tmp_path: Path
) -> None:
    runs = program_of(language)
    file = write_adapter(tmp_path, language, "fresh")

    answer = said_by([runs, str(file)], method, params)

    assert answer["error"]["code"] == -32001
    assert validate(answer["error"], "protocol/error") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_skeleton_has_less_than_150_lines(language: str) -> None:
    text = skeleton(language, "fresh")

    assert len(text.splitlines()) < 150
    assert "{{" not in text


@pytest.mark.parametrize("name", ["", "1st", "../up", "a b", "a/b", "-x", "a.py"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadNameError, match="is no name for an adapter"):
        write_adapter(tmp_path, "python", name)

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("mine")

    code = main(["new", "adapter", "--language", "python", "mine"])

    assert code == 2
    assert capsys.readouterr().err == "mine.py is there already; take another name or move it\n"
    assert (tmp_path / "mine.py").read_text() == "mine"
