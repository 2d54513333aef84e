"""What the selftests of the command line share: runs of the program, inside and beside this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memrules_conformance.cli import main
from memrules_conformance.commands import check, explain
from memrules_conformance.suite import suite
from memrules_spec import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_conformance.checks import Check

ROOT = Path(__file__).parents[2]
OK = "python:memrules_conformance.stubs:always_ok"
GONE = "python:memrules_conformance.stubs:always_gone"


@dataclass(frozen=True)
class Said:
    """What a run of the program said."""

    code: int
    out: str
    err: str

    def data(self) -> Any:
        """Return the one JSON value that stands on stdout."""
        return json.loads(self.out)


@lru_cache
def _made(digest: str, chosen: str, *, quick: bool) -> tuple[Check, ...]:
    """Return the suite of the project's own rules under some readings, made once."""
    readings = {
        key: value for family in json.loads(chosen).values() for key, value in family.items()
    }
    rules = Rules.load(readings=readings)
    assert rules.digest == digest
    return suite(rules, quick=quick)


@pytest.fixture
def suite_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands use one suite for all tests, which changes nothing but the time."""

    def made(rules: Rules, *, quick: bool = False) -> tuple[Check, ...]:
        chosen = json.dumps({family: dict(keys) for family, keys in rules.chosen.items()})
        return _made(rules.digest, chosen, quick=quick)

    monkeypatch.setattr(check, "suite", made)
    monkeypatch.setattr(explain, "suite", made)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    """Run the program in this process."""
    try:
        code = main(arguments)
    except SystemExit as ended:  # how argparse ends
        code = int(ended.code or 0)
    found = capsys.readouterr()
    assert "Traceback" not in found.out + found.err
    return Said(code, found.out, found.err)


def shell(line: str, folder: Path, environment: Mapping[str, str] | None = None) -> Said:
    """Run a line as a person types it, where ``memrules`` is the program of this Python."""
    program = folder / "bin"
    program.mkdir(exist_ok=True)
    script = program / "memrules"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memrules_conformance "$@"\n')
    script.chmod(0o755)
    path = f"{program}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602 what is tested is a line of a shell
        line,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)
