"""The suite as plain JSON, for projects that run it in their own test runner without Python."""

from __future__ import annotations

from .folder import FORMAT, Exported, NotEmptyError, write

__all__ = ["FORMAT", "Exported", "NotEmptyError", "write"]
