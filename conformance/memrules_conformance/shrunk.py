"""The smallest failure of a property, written as the draft of a fixture.

World and steps are those of the last example that Hypothesis tried, which is the smallest.  What
the property demands stands above the case, for a person to put into ``expect``: never what the
target answered.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memrules_spec import fixtures_folder, strict_yaml

from .checks import Outcome, Verdict
from .fixtures import draft
from .fixtures.cases import Defaults
from .judge import Options, Session
from .report import family_of
from .tracing import TracingTarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from .checks import Check
    from .targets import Target
    from .tracing import Opened

STEPS = ("call", "turn", "set", "fault", "inspect")


def save_drafts(
    target: Target, outcomes: Iterable[Outcome], options: Options, folder: Path
) -> Iterator[Path]:
    """Write a draft for each property that failed, and yield the files."""
    for outcome in outcomes:
        if outcome.verdict is Verdict.FAIL and outcome.check.kind == "property":
            tracing = TracingTarget(target)
            with Session(tracing, options) as session:
                again = session.judge(outcome.check)
            if again.verdict is Verdict.FAIL and tracing.opened:
                folder.mkdir(parents=True, exist_ok=True)
                file = folder / f"{_kebab(outcome.check.id.rpartition('/')[2])}.yaml"
                file.write_text(_text(outcome.check, again, tracing.opened[-1]), "utf-8")
                yield file


def _text(check: Check, outcome: Outcome, opened: Opened) -> str:
    """Return the text of a draft."""
    demanded = json.dumps(outcome.expected, ensure_ascii=False, default=str)
    handles = {id_: handle for handle, id_ in opened.ids.items()}
    value = strict_yaml.load(fixtures_folder() / family_of(check) / "defaults.yaml")
    head = f"# {check.id} demands at {outcome.where}: {demanded}\n"
    return head + draft(
        clauses=check.clauses[:3],
        case_id="shrunk",
        name=check.name.rstrip("."),
        world=opened.world,
        steps=[_step(m, _named(p, handles)) for m, p in opened.requests if m in STEPS],
        defaults=Defaults(value["world"], value["record"]),
    )


def _step(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as a step of a fixture."""
    if method == "call":
        return {"call": params["op"], "args": params["args"]}
    if method == "turn":
        return {"turn": params["text"], **{k: v for k, v in params.items() if k != "text"}}
    if method == "inspect":
        return {"inspect": params["part"]}
    return {method: dict(params)}


def _named(value: Any, handles: Mapping[str, str]) -> Any:
    """Return a value in which the ids of seeded records are ``{$id: handle}``."""
    if isinstance(value, str):
        return {"$id": handles[value]} if value in handles else value
    if isinstance(value, dict):
        return {key: _named(inner, handles) for key, inner in value.items()}
    if isinstance(value, list):
        return [_named(inner, handles) for inner in value]
    return value


def _kebab(name: str) -> str:
    """Return the name of a class as the name of a file."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
