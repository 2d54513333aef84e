"""What ends a command early: a message that says what happened and what to do, and a code."""

from __future__ import annotations

from memrules_conformance.targets import UsageError

__all__ = ["CommandError", "UsageError"]


class CommandError(Exception):
    """The command cannot go on; ``code`` is the exit code."""

    def __init__(self, message: str, code: int = 3) -> None:
        super().__init__(message)
        self.code = code
