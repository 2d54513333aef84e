"""The report as JUnit XML, as continuous integration systems read it: a suite an area."""

from __future__ import annotations

import json
import re
from typing import IO, TYPE_CHECKING
from xml.etree import ElementTree as ET

from memrules_conformance.checks import Verdict

from .findings import statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memrules_conformance.checks import Outcome

    from .findings import Findings

ELEMENTS = {
    Verdict.FAIL: "failure",
    Verdict.ERROR: "error",
    Verdict.HARNESS_ERROR: "error",
    Verdict.UNSUPPORTED: "skipped",
}

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(findings: Findings, stream: IO[str]) -> None:
    """Write the report as an XML document."""
    areas: dict[str, list[Outcome]] = {}
    for outcome in findings.report.outcomes:
        areas.setdefault(outcome.check.area, []).append(outcome)
    root = ET.Element("testsuites", _counts("memrules", findings.report.outcomes))
    for area, outcomes in areas.items():
        suite = ET.SubElement(root, "testsuite", _counts(area, outcomes))
        for outcome in outcomes:
            _case(suite, findings, outcome)
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode")
    stream.write(f"<?xml version='1.0' encoding='utf-8'?>\n{body}\n")


def _case(suite: ET.Element, findings: Findings, outcome: Outcome) -> None:
    """Add one check to a suite."""
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": outcome.check.area,
            "name": outcome.check.id,
            "time": f"{outcome.seconds:.3f}",
        },
    )
    element = ELEMENTS.get(outcome.verdict)
    if element is None:
        return
    said = _xml(outcome.message)
    attributes = {"message": said.partition("\n")[0], "type": str(outcome.verdict)}
    ET.SubElement(case, element, attributes).text = _xml(_words(findings, outcome))


def _words(findings: Findings, outcome: Outcome) -> str:
    """Return everything that is said of a check that has not passed."""
    clauses = outcome.check.clauses[:1]
    lines = [outcome.message, *(f"clause: {c} {statement(findings.rules, c)}" for c in clauses)]
    if outcome.verdict is Verdict.FAIL:
        lines.append(f"where: {outcome.where}")
        lines.append(f"expected: {json.dumps(outcome.expected, ensure_ascii=False)}")
        lines.append(f"came back: {json.dumps(outcome.actual, ensure_ascii=False)}")
    lines.append(f"again: {findings.replay.command(outcome.check.id)}")
    return "\n".join(lines)


def _counts(name: str, outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Return the attributes of a suite."""
    kinds = [ELEMENTS.get(outcome.verdict, "") for outcome in outcomes]
    return {
        "name": name,
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(outcome.seconds for outcome in outcomes):.3f}",
    }


def _xml(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
