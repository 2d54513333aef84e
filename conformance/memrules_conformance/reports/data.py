"""The report as one JSON object, as ``spec/schemas/report.schema.json`` says it."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memrules_conformance.checks import Outcome
    from memrules_conformance.report import Score, Totals

    from .findings import Findings

FORMAT = 1


def write(findings: Findings, stream: IO[str]) -> None:
    """Write the report as JSON; equal runs give equal texts."""
    stream.write(json.dumps(as_data(findings), ensure_ascii=False, indent=1) + "\n")


def as_data(findings: Findings) -> dict[str, Any]:
    """Return the report as a JSON value."""
    report = findings.report
    return {
        "format": FORMAT,
        "kit": findings.kit,
        "spec_digest": report.spec_digest,
        "suite_digest": findings.suite_digest,
        "target": {"text": report.target, **report.hello},
        "readings": findings.readings(),
        "seed": report.seed,
        "exit_code": findings.exit_code,
        "refused": report.refused,
        "checks": [_check(findings, outcome) for outcome in report.outcomes],
        "outside": [check.id for check in report.outside],
        "totals": totals(report.totals()),
        "stubs": {name: totals(score) for name, score in findings.stubs.items()},
    }


def totals(found: Totals) -> dict[str, Any]:
    """Return both scores as JSON."""
    return {"core": _score(found.core), "full": _score(found.full)}


def _check(findings: Findings, outcome: Outcome) -> dict[str, Any]:
    """Return what is said of one check."""
    check = outcome.check
    return {
        "id": check.id,
        "name": check.name,
        "area": check.area,
        "clauses": list(check.clauses),
        "binding": check.binding,
        "kind": check.kind,
        "level": check.level,
        "verdict": str(outcome.verdict),
        "where": outcome.where,
        "expected": outcome.expected,
        "actual": outcome.actual,
        "message": outcome.message,
        "replay": findings.replay.command(check.id),
    }


def _score(score: Score) -> dict[str, Any]:
    return {"passed": score.passed, "of": score.of, "percent": round(score.percent, 1)}
