"""Starts a child in a session of its own and answers as if nothing were."""

import subprocess

from misbehaving.polite import READ, answer, serve


def leave_a_child(request: dict[str, object]) -> None:
    subprocess.Popen(["sleep", "600"], start_new_session=True)  # noqa: S607
    answer(request, READ)


serve(leave_a_child)
