"""A fixture file with anything in it anywhere is read or refused; it never breaks the reader."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml

from fixture_cases import VALID_FAIL, VALID_PASS, read

FILES = [*VALID_PASS, *VALID_FAIL]
ROUNDS = 15
ANYTHING: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, "", "x", "$unchanged", "$gone", [], {}, [[]], [{}], ["x"], {"$id": "a"},
    {"$ref": 5}, {"$reading": []}, {"$repeat": 5}, {"$sum": ["x"]}, {"$join": [{}]}, {"$type": {}},
    {"$one_of": 5}, {"$unordered": "x"}, {"$absent": True}, {"$count": "x"}, {"$x": 1, "y": 2},
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(found for key, part in inner for found in places(part, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("seed", range(3))
def test_a_file_with_anything_in_it_is_read_or_refused(file: Any, seed: int) -> None:
    chance = random.Random(f"{file.stem}{seed}")
    value = yaml.safe_load(file.read_text(encoding="utf-8"))
    refused = 0

    for _ in range(ROUNDS):
        broken = value
        for _ in range(chance.randint(1, 3)):
            path = chance.choice(places(broken)[1:] or [()])
            broken = replaced(broken, path, chance.choice(ANYTHING))
        cases, faults = read(yaml.safe_dump(broken, allow_unicode=True, width=1000))
        assert not (cases and faults)
        refused += bool(faults)

    assert refused > ROUNDS // 2
