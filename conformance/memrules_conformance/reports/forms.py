"""The forms in which a report can be had, and the file of each in a folder of reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from . import data, junit, markdown, page, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from .findings import Findings


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its file in a folder, and how it is written to a stream."""

    file: str
    write: Callable[[Findings, IO[str]], None]


FORMATS = {
    "text": Form("report.txt", text.write),
    "json": Form("report.json", data.write),
    "junit": Form("junit.xml", junit.write),
    "html": Form("report.html", page.write),
    "markdown": Form("report.md", markdown.write),
}
