"""The commands of the program: each module adds its options and runs them."""

from __future__ import annotations

from . import check, explain, export, new, smoke, spec
from .errors import CommandError, UsageError

COMMANDS = (check, smoke, explain, export, new, spec)

__all__ = ["COMMANDS", "CommandError", "UsageError"]
