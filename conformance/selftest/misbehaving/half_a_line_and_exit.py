"""Writes half of its answer and ends."""

import os
from typing import Any

from misbehaving.polite import READ, line_of, say, serve


def break_off(request: dict[str, Any]) -> None:
    say(line_of(request, READ)[:40])
    os._exit(0)


serve(break_off)
