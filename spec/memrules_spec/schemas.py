"""Validation against the project's JSON Schemas: one validator decides, another words it.

jsonschema-rs conforms fully and is fast; jsonschema's messages are the better ones for people.
If they disagree about an instance, that is a fault of this project and is said so.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema
import jsonschema_rs
import referencing
from referencing.jsonschema import DRAFT202012

from .faults import Path, dotted
from .folders import data_folder

if TYPE_CHECKING:
    import pathlib

MOST_ERRORS = 20


class ValidatorsDisagreeError(Exception):
    """The two validators disagree about an instance, which is kept here."""

    def __init__(self, name: str, instance: Any) -> None:
        super().__init__(f"the validators disagree about an instance of {name}")
        self.name = name
        self.instance = instance


def validate(instance: Any, name: str) -> list[str]:
    """Return what is wrong with an instance under the schema ``name``; empty when nothing is.

    ``name`` is that of the file below ``spec/schemas`` without ``.schema.json``, such as
    ``fixture`` or ``operations/memory_read#/$defs/result``.
    """
    return [f"{dotted(path)}: {text}" if path else text for path, text in problems(instance, name)]


def problems(instance: Any, name: str) -> list[tuple[Path, str]]:
    """Return the path and the words of each problem of an instance; see :func:`validate`."""
    fast, slow = _validators(name)
    try:
        valid = fast.is_valid(instance)
    except ValueError as error:
        return [((), str(error))]
    if valid:
        return []
    found = [
        (tuple(error.absolute_path), _words(error))
        for error, _ in zip(
            sorted(slow.iter_errors(instance), key=lambda error: [str(p) for p in error.path]),
            range(MOST_ERRORS),
            strict=False,
        )
    ]
    if not found:
        raise ValidatorsDisagreeError(name, instance)
    return found


def _words(error: jsonschema.ValidationError) -> str:
    """Return the message of an error, the deepest one where there are alternatives."""
    best = jsonschema.exceptions.best_match([error])
    message = str((best or error).message)
    return message if len(message) <= 400 else message[:400] + " ..."  # noqa: PLR2004 a line


@cache
def _validators(name: str) -> tuple[Any, Any]:
    """Return the deciding and the wording validator of a schema."""
    base, _, pointer = name.partition("#")
    contents = _contents()
    if base not in contents:
        message = f"there is no schema {base}; there are {', '.join(sorted(contents))}"
        raise LookupError(message)
    uri = contents[base]["$id"] + (f"#{pointer}" if pointer else "")
    reference = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": uri}
    resources = [(c["$id"], DRAFT202012.create_resource(c)) for c in contents.values()]
    registry: referencing.Registry[Any] = referencing.Registry().with_resources(resources)
    fast_registry = jsonschema_rs.Registry([(c["$id"], c) for c in contents.values()])
    return (
        jsonschema_rs.Draft202012Validator(reference, registry=fast_registry),
        jsonschema.Draft202012Validator(reference, registry=registry),
    )


@cache
def _contents() -> dict[str, Any]:
    """Return every schema by its name."""
    folder: pathlib.Path = data_folder() / "schemas"
    return {
        file.relative_to(folder).as_posix().removesuffix(".schema.json"): json.loads(
            file.read_text(encoding="utf-8")
        )
        for file in sorted(folder.rglob("*.schema.json"))
    }
