"""Starts a child in a session of its own, which keeps the pipes open, and ends."""

import os
import subprocess

from misbehaving.polite import serve


def leave_a_child(_: object) -> None:
    subprocess.Popen(["sleep", "600"], start_new_session=True)  # noqa: S607
    os._exit(0)


serve(leave_a_child)
