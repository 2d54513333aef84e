"""The runner's own cases: read from ``cases/``, with what each file says that comes of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judging import rules
from memrules_conformance.fixtures.cases import Defaults
from memrules_conformance.fixtures.reading import FileReader
from memrules_spec import fixtures_folder, strict_yaml

if TYPE_CHECKING:
    from memrules_conformance.fixtures import Case

HERE = Path(__file__).parent / "cases"
VALID_PASS = sorted((HERE / "valid-pass").glob("*.yaml"))
VALID_FAIL = sorted((HERE / "valid-fail").glob("*.yaml"))
INVALID = sorted((HERE / "invalid").glob("*.yaml"))


def defaults() -> Defaults:
    value: Any = strict_yaml.load(fixtures_folder() / "lite" / "defaults.yaml")
    return Defaults(value["world"], value["record"])


def read(text: str, file: str = "file.yaml") -> tuple[list[Case], list[str]]:
    """Return the cases of a text, and its faults as people see them."""
    document = strict_yaml.parse(text, file)
    if document.faults:
        return [], [str(fault) for fault in document.faults]
    reader = FileReader(rules(), defaults(), document, "lite", "area")
    cases = reader.cases(Path(file).stem)
    return cases, [str(fault) for fault in reader.faults]


def sound(file: Path) -> list[Case]:
    cases, faults = read(file.read_text(encoding="utf-8"), file.name)
    assert faults == []
    assert cases
    return cases


def said(file: Path, heading: str) -> list[str]:
    """Return the lines of the comment below a heading at the end of a file."""
    text = file.read_text(encoding="utf-8")
    lines = text.partition(f"# {heading}:\n")[2].splitlines()
    assert lines, f"{file.name} does not say what comes of it"
    return [re.sub(r"^#   ", "", line) for line in lines]
