"""Asking the rules: every decision of this package is taken by a table, and can be traced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_spec import Decision, Message, Rules

FAMILY = "lite"


class Ruling:
    """The rules of the family, with a trace of what was decided while one is wanted."""

    def __init__(self, rules: Rules, lang: str = "zh") -> None:
        self.rules = rules
        self.lang = lang
        self.trace: list[dict[str, Any]] | None = None

    def decide(self, table: str, **inputs: Any) -> Mapping[str, Any]:
        """Return the outcome that a table gives for its inputs."""
        return self.decision(table, inputs).outcome

    def decision(self, table: str, inputs: Mapping[str, Any]) -> Decision:
        """Return the whole decision of a table."""
        decision = self.rules.decide(f"{FAMILY}/{table}", inputs)
        if self.trace is not None:
            said = {"table": f"{FAMILY}/{table}", "inputs": dict(inputs), "row": decision.row}
            self.trace.append(said)
        return decision

    def reading(self, key: str) -> str:
        """Return the chosen option of a reading."""
        return str(self.rules.reading(FAMILY, key))

    def number(self, key: str) -> int:
        """Return the chosen number of a reading."""
        return int(self.rules.reading(FAMILY, key))

    def message(self, code: str) -> dict[str, str]:
        """Return what happened and what to do next, in the language of the world (LM-9.20)."""
        said: Message = self.rules.message(FAMILY, code, self.lang)
        return {"what": said.what, "next": said.next}

    def line(self, kind: str, name: str) -> str:
        """Return a one-line text: of ``scope_notes`` or ``lines``."""
        return str(self.rules.texts(FAMILY)[kind][name][self.lang])

    def phrase(self, name: str) -> str:
        """Return words that the contract fixes."""
        return self.rules.phrase(FAMILY, name)


def spoken(message: Mapping[str, str] | None, lang: str = "zh") -> str:
    """Return a message as the model reads it."""
    if message is None:
        return ""
    stop = "。" if lang == "zh" else ". "
    return f"{message['what']}{stop}{message['next']}{stop}".strip()
