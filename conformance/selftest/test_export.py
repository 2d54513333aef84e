"""An exported set is the suite: a runner that is not ours finds in it what the judge finds."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from fixture_cases import VALID_FAIL, VALID_PASS, sound
from judging import HERE, rules, run
from memrules_conformance.checks import Verdict
from memrules_conformance.cli import main
from memrules_conformance.export import NotEmptyError, write
from memrules_conformance.export.vectors import boxes
from memrules_conformance.fixtures import check_of, load_cases
from memrules_conformance.fixtures.matching import TYPES
from memrules_conformance.fixtures.values import MATCHERS
from memrules_conformance.folders import adapters_folder, templates_folder
from memrules_conformance.judge import Options
from memrules_conformance.stores import default_root
from memrules_conformance.worlds import decide_checks
from memrules_spec.proofs import Space, possible
from memrules_spec.schemas import validate
from outside import program

if TYPE_CHECKING:
    from pathlib import Path

    from memrules_conformance.fixtures import Case

STUB = "memrules_conformance.stubs:always_gone"


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    return load_cases(rules())


@pytest.fixture(scope="module")
def exported(cases: tuple[Case, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    write(folder, rules(), cases)
    return folder


def played(folder: Path, *command: str) -> tuple[dict[str, str], str]:
    """Return what the plain runner says of each failed check, by its id, and its last line."""
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [program("node"), str(folder / "runner" / "run-exported.js"), str(folder), *command],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(default_root(durable=False))},
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    *failed, last = done.stdout.splitlines()
    assert done.returncode == (1 if failed or last.startswith("0 passed") else 0)
    return dict(line.split(": ", 1) for line in failed), last


def hosted(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "memrules_conformance.host", name)


def content(folder: Path, pattern: str) -> dict[str, Any]:
    found = {
        file.relative_to(folder).as_posix(): json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob(pattern))
    }
    assert found, f"no file is called {pattern}"
    return found


def test_the_implementation_in_node_fails_nothing(exported: Path) -> None:
    failed, last = played(exported, program("node"), str(adapters_folder() / "node" / "main.js"))

    assert failed == {}
    assert int(last.split()[0]) > 500


def test_the_runner_and_the_judge_fail_the_same_of_a_stub(
    exported: Path, cases: tuple[Case, ...]
) -> None:
    checks = [*map(check_of, cases), *decide_checks(rules())]

    failed, _ = played(exported, *hosted(STUB))
    report = run(f"python:{STUB}", checks, Options(retry=False))

    bad = (Verdict.FAIL, Verdict.ERROR)
    assert len(failed) > 500
    assert {o.check.id for o in report.outcomes if o.verdict in bad} == failed.keys()


def test_every_step_and_matcher_passes_and_fails_as_in_the_judge(tmp_path: Path) -> None:
    passing = [case for file in VALID_PASS for case in sound(file)]
    failing = [case for file in VALID_FAIL for case in sound(file)]
    write(tmp_path / "set", rules(), [*passing, *failing])

    failed, _ = played(tmp_path / "set", *hosted("small_memory:make"))

    found = {name for name in failed if not name.startswith("table:")}
    assert found == {case.check_id for case in failing}


def test_every_file_fits_its_schema(exported: Path) -> None:
    index = content(exported, "export.json")["export.json"]

    assert validate(index, "export/index") == []
    for kind, pattern in (
        ("cases", "fixtures/*/*/*.json"),
        ("vectors", "vectors/*/*.json"),
        ("capabilities", "capabilities.json"),
    ):
        for name, value in content(exported, pattern).items():
            assert validate(value, f"export/{kind}") == [], name


def test_every_message_fits_the_schemas_of_the_protocol(exported: Path) -> None:
    for name, value in content(exported, "fixtures/*/*/*.json").items():
        for case in value["cases"]:
            world = {**case["open"], "store": "s"}

            assert validate(world, "protocol/open#/$defs/params") == [], (name, case["id"])


def test_the_index_has_the_digest_of_every_file(exported: Path) -> None:
    index = content(exported, "export.json")["export.json"]
    there = {
        file.relative_to(exported).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in exported.rglob("*")
        if file.is_file()
    }

    del there["export.json"]
    assert index["files"] == there


def test_the_same_rules_and_cases_give_the_same_bytes(
    exported: Path, cases: tuple[Case, ...], tmp_path: Path
) -> None:
    write(tmp_path / "again", rules(), cases)

    again = (tmp_path / "again" / "export.json").read_bytes()
    assert again == (exported / "export.json").read_bytes()


def test_cases_of_other_readings_are_left_out_and_exported_under_theirs(
    exported: Path, cases: tuple[Case, ...], tmp_path: Path
) -> None:
    other = rules().with_readings({"archived-read": "cold_body"})
    write(tmp_path / "other", other, cases)

    index = content(tmp_path / "other", "export.json")["export.json"]
    assert index["declared"] == {"archived-read": "cold_body"}
    for folder, option in ((exported, "gone"), (tmp_path / "other", "cold_body")):
        there = {
            case["id"]
            for file in content(folder, "fixtures/*/*/*.json").values()
            for case in file["cases"]
        }
        asked = [case for case in cases if "archived-read" in case.readings]
        right = {c.check_id for c in asked if c.readings["archived-read"] == option}
        assert right
        assert {c.check_id for c in asked if c.check_id in there} <= right


def test_the_vectors_of_a_table_are_its_combinations_each_once() -> None:
    for table in rules().tables.values():
        space = Space(table.inputs)
        wanted = sorted(map(str, space.combinations(possible(table, space))))

        found = [
            str(dict(zip(box, values, strict=True)))
            for box in boxes(table.inputs, possible(table, space))
            for values in itertools.product(*box.values())
        ]

        assert sorted(found) == wanted, table.id


def test_the_contract_says_what_every_matcher_takes() -> None:
    contract = (templates_folder() / "CONTRACT.md").read_text(encoding="utf-8")

    assert [name for name in MATCHERS if f'{{"{name}": ' not in contract] == []
    assert [name for name in TYPES if f'"{name}"' not in contract] == []


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")

    with pytest.raises(NotEmptyError, match="is not empty"):
        write(tmp_path, rules(), ())

    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_the_command_says_what_it_wrote_and_refuses_to_write_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = [main(["export", str(tmp_path / "set")]) for _ in range(2)]

    out, err = capsys.readouterr()
    assert codes == [0, 2]
    assert out.splitlines()[-1] == f"next: read {tmp_path / 'set' / 'CONTRACT.md'}"
    assert err == f"{tmp_path / 'set'} is not empty; name a new folder, or empty it first\n"
