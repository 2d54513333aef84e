"""A target that prints while it works."""

from __future__ import annotations

from judging import Plain


class Chatty(Plain):
    """Says on stdout what it is asked."""

    def handle(self, method: str, params: dict[str, object]) -> dict[str, object]:
        print("asked", method)  # noqa: T201 that is its fault
        return super().handle(method, params)


def make() -> Chatty:
    return Chatty()
