"""The house: who imports whom, what no file says, and what a wheel holds."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from commanding import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGES = {
    "memrules_spec": ROOT / "spec" / "memrules_spec",
    "memrules_reference": ROOT / "reference" / "memrules_reference",
    "memrules_conformance": ROOT / "conformance" / "memrules_conformance",
}
MAY_IMPORT = {
    "memrules_spec": set[str](),
    "memrules_reference": {"memrules_spec"},
    "memrules_conformance": {"memrules_spec"},
}
TREE = ("spec", "reference", "conformance", "fixtures", "docs", ".ci")
MADE = {"__pycache__", "node_modules", ".hypothesis"}
TEXT = {".py", ".yaml", ".json", ".md", ".toml", ".js", ""}
MOST_LINES = 300

# Spelled in two halves, so that this file does not say what no file may say.
FORBIDDEN = [
    re.compile("/" + "root/"),
    re.compile("/" + "work/(main|shared)"),
    re.compile("/home/" + "runner"),
    re.compile("pypi" + r"\.org|files\." + r"pythonhosted|registry\." + "npmjs"),
    re.compile("TO" + "DO|FIX" + "ME|X" + "XX"),
]


def files() -> Iterator[Path]:
    """Yield every file of the tree that a person wrote."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in TEXT)
    for folder in TREE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and not MADE.intersection(path.parts):
                yield path


def imported(file: Path) -> set[str]:
    """Return the top names of the packages that a module imports, wherever it does."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    modules = sorted(PACKAGES[package].rglob("*.py"))
    assert modules

    for module in modules:
        wrong = imported(module) & set(PACKAGES) - MAY_IMPORT[package] - {package}
        assert not wrong, f"{module.relative_to(ROOT)} imports {wrong}"


def test_only_memrules_spec_opens_yaml() -> None:
    for package in ("memrules_reference", "memrules_conformance"):
        for module in PACKAGES[package].rglob("*.py"):
            if "yaml" in imported(module):
                # What writes YAML is no loader.
                assert not re.search(r"yaml\.\w*load", module.read_text("utf-8")), module


def test_every_text_is_utf_8_with_plain_line_ends() -> None:
    for path in files():
        if path.suffix in TEXT and "cases" not in path.parts:
            content = path.read_bytes()
            assert content.decode("utf-8", "replace").find("\ufffd") < 0, f"{path} is not UTF-8"
            assert b"\r" not in content, f"{path} has a carriage return"
            assert not content or content.endswith(b"\n"), f"{path} has no newline at its end"


def test_no_file_speaks_of_the_machine_on_which_it_was_written() -> None:
    looked = 0
    for path in files():
        if path.suffix in TEXT:
            text = path.read_text("utf-8", errors="replace")
            for pattern in FORBIDDEN:
                assert not pattern.search(text), f"{path.relative_to(ROOT)}: {pattern.pattern}"
            looked += 1
    assert looked > 200


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    for package in PACKAGES.values():
        for module in package.rglob("*.py"):
            lines = len(module.read_text("utf-8").splitlines())
            assert lines <= MOST_LINES, f"{module.relative_to(ROOT)} has {lines} lines"


def test_everything_that_is_data_travels_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]

    data = {
        f"spec/{path.name}"
        for path in (ROOT / "spec").iterdir()
        if path.name not in {"memrules_spec", *MADE}
    }
    assert set(included) == data | {
        "fixtures",
        "conformance/adapters",
        "conformance/selftest/broken",
    }
    assert all((ROOT / name).exists() for name in included)


def test_the_plugin_is_loaded_only_where_it_is_named() -> None:
    ours = [point for point in entry_points(group="pytest11") if "memrules" in point.value]

    assert ours == []


def test_every_fixture_lies_in_an_area_of_a_family() -> None:
    names = [
        path.relative_to(ROOT / "fixtures").parts for path in (ROOT / "fixtures").rglob("*.yaml")
    ]

    assert len(names) > 10
    assert {parts for parts in names if len(parts) != 3} == {("lite", "defaults.yaml")}
