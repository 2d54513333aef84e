"""One run of the organizer: what it is asked about, as it was when the run was charged."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .candidates import live_rule
from .notebook import Feedback, Notebook
from .specs import Spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_reference.lite.records import Record
    from memrules_reference.lite.store import State


@dataclass(frozen=True, slots=True)
class Run:
    """The rules and the pending feedback that a run rests on, and the whole notebook then."""

    id: str
    at: int
    rules: Mapping[str, Record]
    feedback: Mapping[str, Feedback]
    book: Notebook

    @classmethod
    def over(cls, state: State, now: int) -> Run:
        """Return the run over a scope at a time (ms, UTC); a lost candidate takes its words."""
        rules = {key: record for key, record in state.records.items() if live_rule(record)}
        book = Notebook.of(state)
        pending = {}
        for key, entry in book.feedback.items():
            if entry.pending and (entry.candidate is None or entry.candidate in rules):
                text = rules[entry.candidate].body if entry.candidate else entry.text
                pending[key] = replace(entry, text=text or "")
        return cls(f"run_{secrets.token_hex(8)}", now, rules, pending, book)

    def question(self) -> dict[str, Any]:
        """Return what the organizer is given: rules with their specifications, and feedback."""
        return {
            "version": 1,
            "rules": [
                {
                    "ruleId": key,
                    "state": (rule.learning or {}).get("state"),
                    "spec": Spec.of(rule).fields(),
                    "specDigest": Spec.of(rule).digest,
                }
                for key, rule in self.rules.items()
            ],
            "feedback": [
                {
                    "id": key,
                    "revision": entry.revision,
                    "kind": entry.kind,
                    "text": entry.text,
                    "ruleId": entry.rule or entry.candidate,
                }
                for key, entry in self.feedback.items()
            ],
        }
