"""New adapters: a skeleton that starts, answers, and names all that it does not do yet."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from .capabilities import capability_levels
from .folders import templates_folder

if TYPE_CHECKING:
    from pathlib import Path

LANGUAGES = {"python": ".py", "node": ".mjs"}
"""The ending of a file of each language."""

COMMANDS = {"python": "python", "node": "node"}
"""The program that runs it."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
WIDTH = 98


class BadNameError(Exception):
    """A name that cannot be that of an adapter, or whose file is there already."""


def write_adapter(folder: Path, language: str, name: str) -> Path:
    """Write the skeleton of an adapter below a folder and return its file.

    Raises BadNameError, or OSError; a file that is there is never written over.
    """
    if not NAME.fullmatch(name):
        raise BadNameError(
            f"{name!r} is no name for an adapter; take letters, digits, - and _, a letter first"
        )
    file = folder / f"{name}{LANGUAGES[language]}"
    try:
        with file.open("x", encoding="utf-8", newline="\n") as made:
            made.write(skeleton(language, name))
    except FileExistsError as error:
        raise BadNameError(f"{file} is there already; take another name or move it") from error
    return file


def skeleton(language: str, name: str) -> str:
    """Return the text of a new adapter."""
    template = templates_folder() / f"adapter{LANGUAGES[language]}.txt"
    names = textwrap.fill(" ".join(capability_levels()), WIDTH, break_on_hyphens=False)
    text = template.read_text(encoding="utf-8")
    return text.replace("{{name}}", name).replace("{{capabilities}}", names)
