"""What a malformed spec file gets: every fault at once, each with its line, path and words."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from memrules_spec import Rules, SpecError, data_folder
from memrules_spec.strict_yaml import parse

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: yes", {"a": "yes"}),
        ("a: on", {"a": "on"}),
        ("a: 012", {"a": "012"}),
        ("a: 2024-01-01", {"a": "2024-01-01"}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: .nan", {"a": ".nan"}),
        ("a: ~", {"a": "~"}),
        ("a: 12", {"a": 12}),
        ("a: -1.5e3", {"a": -1500.0}),
        ("a: true", {"a": True}),
        ('a: "true"', {"a": "true"}),
        ("a:", {"a": None}),
        ("[1, [x, {y: null}]]", [1, ["x", {"y": None}]]),
    ],
)
def test_a_scalar_is_json_or_the_text_it_looks_like(text: str, value: object) -> None:
    document = parse(text)

    assert document.faults == []
    assert document.value == value


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            "a: 1\na: 2\nb: 1\nb: 2",
            ["<text>:2: a: this key stands twice", "<text>:4: b: this key stands twice"],
        ),
        ("a: &x 1\nb: *x", ["an anchor is not allowed", "an alias is not allowed"]),
        ("a: !!str 1", ["the tag tag:yaml.org,2002:str is not allowed"]),
        ("1: a", ["the key 1 is not text; quote it"]),
        ("a: [1", ["is not YAML"]),
        ("--- 1\n--- 2", ["holds 2 documents"]),
        ("", ["is empty"]),
    ],
)
def test_a_fault_names_its_line_and_what_to_do(text: str, faults: list[str]) -> None:
    found = [str(fault) for fault in parse(text).faults]

    assert len(found) == len(faults)
    for line, words in zip(found, faults, strict=True):
        assert words in line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "spec"
    shutil.copytree(data_folder() / "lite", copy / "lite")
    return copy


def edit(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")


def faults_of(folder: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        Rules.load(folder)
    return [str(fault) for fault in caught.value.faults]


def test_all_faults_of_all_files_come_at_once(folder: Path) -> None:
    edit(
        folder / "lite/tables/scope-routing.yaml", "requested: [global]", "requested: [everywhere]"
    )
    edit(folder / "lite/tables/condition.yaml", "status: needs_context", "status: perhaps")
    edit(folder / "lite/machines/scope-lock.yaml", "event: acquire", "event: steal")

    found = "\n".join(faults_of(folder))

    assert "when.requested: 'everywhere' is not none, project or global" in found
    assert "'perhaps' is not ok, not_applicable or needs_context" in found
    assert "'steal' is not an event of this machine" in found


@pytest.mark.parametrize(
    ("file", "before", "after", "words"),
    [
        ("tables/condition.yaml", "format: 1", "format: 2", "format 2 is newer than 1"),
        ("tables/condition.yaml", "[LM-5.6]", "[LM-5.999]", "there is no clause LM-5.999"),
        ("tables/condition.yaml", "id: C4", "id: C3", "C3 stands already"),
        ("tables/condition.yaml", "stored-unregistered-key", "nothing", "'nothing' is no choice"),
        ("limits.yaml", "name: max_cards", "name: most_cards", "is not a limit of limits.yaml"),
        ("readings.yaml", "default: needs_context", "default: sometimes", "'sometimes' is not"),
    ],
)  # fmt: skip
def test_a_name_that_does_not_exist_is_refused_where_it_stands(
    folder: Path, file: str, before: str, after: str, words: str
) -> None:
    edit(folder / "lite" / file, before, after)

    assert any(words in fault for fault in faults_of(folder))


def test_a_folder_without_rules_says_what_it_lacks(tmp_path: Path) -> None:
    assert "holds no family" in faults_of(tmp_path)[0]


def test_an_unknown_reading_or_option_is_refused() -> None:
    rules = Rules.load()

    with pytest.raises(SpecError, match="'nothing' is not the key of a reading"):
        rules.with_readings({"nothing": "x"})
    with pytest.raises(SpecError, match="archived-read: 'perhaps' is not gone or cold_body"):
        rules.with_readings({"archived-read": "perhaps"})
    with pytest.raises(SpecError, match="request-reads: 0 is not between 1 and 1000"):
        rules.with_readings({"request-reads": 0})


def test_rules_are_a_value_and_other_readings_make_another() -> None:
    rules = Rules.load()

    other = rules.with_readings({"archived-read": "cold_body"})

    assert rules.reading("lite", "archived-read") == "gone"
    assert other.reading("lite", "archived-read") == "cold_body"
    assert rules.digest == other.digest
