"""The folder of an exported set: its files, its index with digests, its contract."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from memrules_conformance.capabilities import capability_levels
from memrules_conformance.folders import adapters_folder, templates_folder
from memrules_spec import data_folder

from . import cases, vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from memrules_conformance.fixtures import Case
    from memrules_spec import Rules

FORMAT = 1
INDEX = "export.json"
SCHEMAS = ("protocol", "operations", "export")
RUNNER = ("package.json", "run-exported.js", "exported/*.js")


class NotEmptyError(Exception):
    """The folder for an exported set holds something already."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    digest: str
    cases: int
    rows: int
    combinations: int
    left_out: int
    """Cases that hold only under other readings."""


def write(folder: Path, rules: Rules, known: Collection[Case]) -> Exported:
    """Write cases, and every table, under the readings of some rules into a new or empty folder.

    The same rules and cases give the same bytes.  Raises NotEmptyError or OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise NotEmptyError(f"{folder} is not empty; name a new folder, or empty it first")
    held = [case for case in known if _holds(case, rules)]
    files: dict[str, bytes] = {
        **_fixtures(held, rules),
        **_vectors(rules),
        **_schemas(),
        "capabilities.json": _json({"format": FORMAT, "levels": dict(capability_levels())}),
        "CONTRACT.md": (templates_folder() / "CONTRACT.md").read_bytes(),
        **_runner(),
    }
    digests = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    tables = [json.loads(files[name]) for name in files if name.startswith("vectors/")]
    rows = [row for table in tables for row in table["rows"]]
    combinations = sum(_size(vector["inputs"]) for row in rows for vector in row["vectors"])
    result = Exported(
        digest=hashlib.sha256(_json(digests)).hexdigest(),
        cases=len(held),
        rows=len(rows),
        combinations=combinations,
        left_out=len(known) - len(held),
    )
    files[INDEX] = _json(_index(rules, result, digests))
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return result


def _index(rules: Rules, result: Exported, digests: Mapping[str, str]) -> dict[str, Any]:
    """Return what ``export.json`` says."""
    defaults = {f: {k: r.default for k, r in of.items()} for f, of in rules.readings.items()}
    return {
        "format": FORMAT,
        "kit": version("memrules"),
        "protocol": 1,
        "spec_digest": rules.digest,
        "digest": result.digest,
        "readings": {family: dict(chosen) for family, chosen in rules.chosen.items()},
        "declared": {
            key: option
            for family, chosen in rules.chosen.items()
            for key, option in chosen.items()
            if option != defaults[family][key]
        },
        "counts": {
            "cases": result.cases,
            "rows": result.rows,
            "combinations": result.combinations,
            "left_out": result.left_out,
        },
        "files": dict(digests),
    }


def _holds(case: Case, rules: Rules) -> bool:
    """Tell whether a case holds under the readings of the rules."""
    return all(rules.reading(case.family, key) == v for key, v in case.readings.items())


def _fixtures(held: Iterable[Case], rules: Rules) -> dict[str, bytes]:
    """Return the files of fixtures by their names in the set."""
    found: dict[str, list[dict[str, Any]]] = {}
    for case in held:
        name = f"fixtures/{case.family}/{case.area}/{case.file}.json"
        found.setdefault(name, []).append(cases.exported(case, rules))
    return {name: _json({"format": FORMAT, "cases": of}) for name, of in found.items()}


def _vectors(rules: Rules) -> dict[str, bytes]:
    """Return the files of vectors, one a table, by their names in the set."""
    return {
        f"vectors/{table.id}.json": _json(
            {
                "format": FORMAT,
                "table": table.id,
                "title": table.title,
                "rows": vectors.exported(table),
            }
        )
        for table in rules.tables.values()
    }


def _schemas() -> dict[str, bytes]:
    """Return the schemas of the set, of the protocol and of the operations."""
    home = data_folder() / "schemas"
    return {
        f"schemas/{file.relative_to(home).as_posix()}": file.read_bytes()
        for name in SCHEMAS
        for file in sorted((home / name).glob("*.schema.json"))
    }


def _runner() -> dict[str, bytes]:
    """Return the plain runner, which is an example for other languages."""
    home = adapters_folder() / "node"
    return {
        f"runner/{file.relative_to(home).as_posix()}": file.read_bytes()
        for pattern in RUNNER
        for file in sorted(home.glob(pattern))
    }


def _size(box: Mapping[str, list[Any]]) -> int:
    """Return how many combinations a box holds."""
    return math.prod(map(len, box.values()))


def _json(value: Any) -> bytes:
    """Return a value as the set writes it: UTF-8, the same bytes each time."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
