"""The forms of a report: text, HTML and Markdown for people, JSON and JUnit XML for programs."""

from __future__ import annotations

from .findings import Findings, Proof
from .forms import FORMATS, Form

__all__ = ["FORMATS", "Findings", "Form", "Proof"]
