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

    from .runs import Run

MOST_CHANGES = 20
_OPS = frozenset({"add", "revise", "keep"})
_OUTPUT = frozenset({"version", "changes"})
_CHANGE = frozenset({"op", "ruleId", "spec", "evidence", "feedbackRevisions", "reason"})
_SPEC = frozenset({"title", "summary", "body", "conditions"})


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
    try:
        output = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise NotAnOutputError("it is not one JSON object") from error
    _shaped(output, _OUTPUT, "the output")
    if output["version"] is True or output["version"] != 1:
        raise NotAnOutputError("its version is not 1")
    listed = output["changes"]
    if not isinstance(listed, list) or len(listed) > MOST_CHANGES:
        raise NotAnOutputError(f"changes is no list of at most {MOST_CHANGES}")
    changes = [_change(entry, run, ruling) for entry in listed]
    named = [change.rule for change in changes if change.rule is not None]
    if len(named) != len(set(named)):
        raise NotAnOutputError("a rule is named twice")
    return changes


def _change(entry: Any, run: Run, ruling: Ruling) -> Change:
    _shaped(entry, _CHANGE, "a change")
    op, rule, evidence = entry["op"], entry["ruleId"], entry["evidence"]
    if not isinstance(op, str) or op not in _OPS:
        raise NotAnOutputError("op is not add, revise or keep")
    if not (rule is None if op == "add" else isinstance(rule, str) and rule in run.rules):
        raise NotAnOutputError("ruleId is no rule that was in the input")
    if not isinstance(evidence, list) or not all(_known(key, run) for key in evidence):
        raise NotAnOutputError("evidence was not in the input")
    if not evidence and op != "keep":
        raise NotAnOutputError("nothing that the user said supports a change")  # LM-7.10
    revisions = entry["feedbackRevisions"]
    if not isinstance(revisions, dict) or not all(
        _known(key, run) and type(number) is int for key, number in revisions.items()
    ):
        raise NotAnOutputError("feedbackRevisions says no revisions of feedback of the input")
    if not set(evidence) <= set(revisions) or not isinstance(entry["reason"], str):
        raise NotAnOutputError("evidence has no revision, or reason is no text")
    return Change(op, rule, _spec(entry["spec"], ruling), tuple(evidence), revisions)


def _spec(said: Any, ruling: Ruling) -> Spec:
    _shaped(said, _SPEC, "spec")
    understood = understand(ruling, said, None)
    if understood.arguments != "valid" or not isinstance(said["conditions"], list):
        raise NotAnOutputError(f"spec is {understood.arguments}")
    if any(not isinstance(said[key], str) for key in ("title", "summary", "body")):
        raise NotAnOutputError("spec lacks a text")
    conditions = tuple(understood.fields["conditions"])
    return Spec(said["title"], said["summary"], said["body"], conditions)


def _shaped(value: Any, keys: frozenset[str], what: str) -> None:
    if not isinstance(value, dict) or value.keys() != keys:
        raise NotAnOutputError(f"{what} is no object of {', '.join(sorted(keys))}")


def _known(key: Any, run: Run) -> bool:
    return isinstance(key, str) and key in run.feedback


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotAnOutputError("a key stands twice")
    return found
