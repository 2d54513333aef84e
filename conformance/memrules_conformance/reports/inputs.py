"""What a check does, as lines for people: what it begins with and the steps that it takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memrules_conformance.fixtures import Play

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memrules_conformance.checks import Check

LATER = ("expect", "save", "lacks", "says", "trace")
"""Keys of a step that say what is done with its answer."""


def input_lines(check: Check) -> list[str]:
    """Return what a fixture is given and its steps; the id of any other check says it all."""
    if not isinstance(check.run, Play):
        return []
    case = check.run.case
    lines = [f"given {_json(case.given)}"] if case.given else []
    lines += [f"{n}. {_asked(step)}" for n, step in enumerate(case.steps, start=1)]
    return lines


def demand_lines(check: Check) -> Iterator[str]:
    """Yield what a fixture demands of each step and at the end."""
    if not isinstance(check.run, Play):
        return
    case = check.run.case
    for number, step in enumerate(case.steps, start=1):
        for key in LATER:
            if key in step:
                yield f"{number}. {key} {_json(step[key])}"
    if case.then:
        yield f"then {_json(case.then)}"


def _asked(step: Mapping[str, Any]) -> str:
    """Return a step in words, without what is done with its answer."""
    left = {key: value for key, value in step.items() if key not in LATER}
    if "call" not in left:
        return _json(left)
    operation, args = left.pop("call"), left.pop("args", {})
    return f"{operation} {_json(args)}{f' {_json(left)}' if left else ''}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
