"""What the README and the docs say is so: commands run, samples are what comes out."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from commanding import ROOT, shell
from memrules_spec.schemas import validate
from outside import program

if TYPE_CHECKING:
    from pathlib import Path

README = (ROOT / "README.md").read_text("utf-8")
ADAPTER = (ROOT / "docs" / "adapter.md").read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


COMMANDS = [line[2:] for block in blocks(README, "console") for line in block.splitlines()]
EXCHANGES = [
    (said[0], json.loads(said[3:]))
    for block in blocks(ADAPTER, "text")
    for said in block.splitlines()
    if said.startswith(("-> ", "<- "))
]


def test_the_first_two_commands_are_those_that_do_everything() -> None:
    assert COMMANDS[:2] == ["pip install . && memrules check", "pip install nox && nox"]


def test_ci_calls_the_command_that_the_readme_gives_for_the_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()

    installs = [line for line in script if line.startswith("python -m pip install")]
    assert [line.removeprefix("python -m ").split(" <")[0] for line in installs] == [
        "pip install --quiet nox"
    ]
    assert any(line.split()[:1] == ["nox"] for line in script)


@pytest.mark.parametrize("command", COMMANDS[2:])
def test_each_command_of_the_readme_does_what_it_says(command: str, tmp_path: Path) -> None:
    if "node " in command:
        program("node")
    here = command.replace("conformance/", f"{ROOT.as_posix()}/conformance/")

    said = shell(here, tmp_path)

    assert said.err == ""
    assert said.code == (1 if "always_ok" in command else 0)


def test_the_failure_in_the_readme_is_the_one_that_comes_out(tmp_path: Path) -> None:
    (command,) = [command for command in COMMANDS if "always_ok" in command]
    (sample,) = [block for block in blocks(README, "text") if block.startswith("FAIL ")]

    assert shell(command, tmp_path).out.endswith(sample)


def test_every_command_of_the_program_stands_in_the_readme(tmp_path: Path) -> None:
    told = set(re.findall(r"^\| `memrules ([a-z]+)", README, re.MULTILINE))

    listed = shell("memrules --help", tmp_path).out.partition("commands:")[2]

    assert told == set(re.findall(r"^    ([a-z]+) ", listed, re.MULTILINE))


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "fixtures/README.md"])
def test_every_link_leads_to_a_file(name: str) -> None:
    file = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text("utf-8"))

    assert links or name == "fixtures/README.md"
    assert [link for link in links if not (file.parent / link).is_file()] == []


def test_the_python_of_the_rules_page_runs(tmp_path: Path) -> None:
    (code,) = blocks((ROOT / "docs" / "rules.md").read_text("utf-8"), "python")
    (tmp_path / "page.py").write_text(code, "utf-8")

    said = shell(f'"{sys.executable}" page.py', tmp_path)

    assert (said.code, said.err) == (0, "")


def test_the_first_adapter_of_the_page_gets_through_smoke_and_check(tmp_path: Path) -> None:
    code = blocks(ADAPTER, "python")[0]
    (tmp_path / "first.py").write_text(code, "utf-8")
    smoke, check = blocks(ADAPTER, "text")[0].splitlines()
    python = f'"{sys.executable}"'

    smoked = shell(
        smoke.replace('"stdio:python', f"'stdio:{python}").replace('.py"', ".py'"), tmp_path
    )
    checked = shell(
        check.replace('"stdio:python', f"'stdio:{python}").replace('.py"', ".py' --area failures"),
        tmp_path,
    )

    assert smoked.code == 0
    assert "  works          an unknown id is gone" in smoked.out
    assert checked.code == 0
    assert " error" not in checked.out.splitlines()[-1]


def test_every_line_of_the_adapter_page_is_a_valid_message() -> None:
    asked: dict[int, dict[str, Any]] = {}
    assert len(EXCHANGES) > 20
    for side, message in EXCHANGES:
        if side == "-":
            asked[message["id"]] = message
            method = message["method"]
            assert validate(message["params"], f"protocol/{method}#/$defs/params") == []
            continue
        kind = "notification" if "method" in message else "failure" if "error" in message else ""
        assert validate(message, f"protocol/message#/$defs/{kind or 'success'}") == []
        if not kind:
            request = asked[message["id"]]
            schema = f"protocol/{request['method']}#/$defs/result"
            assert validate(message["result"], schema) == []
            if request["method"] == "call":
                operation = f"operations/{request['params']['op']}#/$defs/result"
                assert validate(message["result"]["result"], operation) == []


def test_every_verb_of_the_protocol_stands_on_the_adapter_page() -> None:
    files = (ROOT / "spec" / "schemas" / "protocol").glob("*.schema.json")
    verbs = {
        file.name.removesuffix(".schema.json")
        for file in files
        if '"params": {' in file.read_text("utf-8") and not file.name.startswith("message.")
    }

    assert {message["method"] for side, message in EXCHANGES if side == "-"} == verbs
