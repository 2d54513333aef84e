"""A target that has only begun: it injects nothing and refuses all else by name."""

from __future__ import annotations

from typing import Any

GROUPS = ("lite", "seed", "set", "inspect", "script", "decide", "trace", "stop_at", "fail_at")


class Beginner:
    """A target that supports nothing."""

    def handle(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of one request."""
        if method == "open":
            return {"ids": {}, "roots": {"store": params["store"]}}
        if method == "turn":
            return {"outcome": "none", "injected": {"text": "", "cards": []}}
        if method != "hello":
            return {}
        refused = [{"capability": name, "reason": "not written"} for name in GROUPS]
        return {
            "name": "beginner", "version": "0", "language": "python", "protocol": 1,
            "families": ["lite"], "unsupported": refused, "readings": {}, "points": [],
        }  # fmt: skip


def make_target() -> Beginner:
    """Return the target."""
    return Beginner()
