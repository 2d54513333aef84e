"""parseOutput: the organizer's output, taken whole or not at all (LM-7.5)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memrules_reference.lite.arguments import understand

from .specs import Spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.ruling import Ruling

    from .output import ProposedChange, ProposedSpec
    from .runs import Run


class NotAnOutputError(ValueError):
    """An output that cannot be used; ``problem`` says what is wrong."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Change:
    """One change that the organizer proposes; ``rule`` is None where it adds one."""

    op: str
    rule: str | None
    spec: Spec
    evidence: tuple[str, ...]
    revisions: Mapping[str, int]


def parse_output(text: str, run: Run, ruling: Ruling) -> list[Change]:
    """Return the changes that an output proposes; raise NotAnOutputError for any fault in it."""
    from pydantic import ValidationError  # noqa: PLC0415 only who learns waits for it

    from .output import Output  # noqa: PLC0415

    try:
        output = Output.model_validate(json.loads(text, object_pairs_hook=_once))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise NotAnOutputError(f"{where}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise NotAnOutputError("it is not one JSON object") from error
    changes = [_change(entry, run, ruling) for entry in output.changes]
    named = [change.rule for change in changes if change.rule is not None]
    if len(named) != len(set(named)):
        raise NotAnOutputError("a rule is named twice")
    return changes


def _change(said: ProposedChange, run: Run, ruling: Ruling) -> Change:
    """Return a change that names only what was in the input."""
    adds = said.op == "add"
    if adds != (said.rule_id is None) or not (adds or said.rule_id in run.rules):
        raise NotAnOutputError("ruleId is no rule that was in the input")
    if not {*said.evidence, *said.revisions} <= set(run.feedback):
        raise NotAnOutputError("evidence was not in the input")
    if not said.evidence and said.op != "keep":
        raise NotAnOutputError("nothing that the user said supports a change")  # LM-7.10
    if not set(said.evidence) <= set(said.revisions):
        raise NotAnOutputError("evidence has no revision")
    spec = _spec(said.spec, ruling)
    return Change(said.op, said.rule_id, spec, tuple(said.evidence), said.revisions)


def _spec(said: ProposedSpec, ruling: Ruling) -> Spec:
    """Return a specification that a save would accept."""
    understood = understand(ruling, said.model_dump(), None)
    if understood.arguments != "valid":
        raise NotAnOutputError(f"spec is {understood.arguments}")
    conditions = tuple(understood.fields["conditions"])
    return Spec(said.title, said.summary, said.body, conditions)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotAnOutputError("a key stands twice")
    return found
