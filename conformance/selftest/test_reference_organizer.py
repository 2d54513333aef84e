"""The reference's organizer as a program of the host: its output, or how it failed."""

from __future__ import annotations

import sys

import pytest

from memrules_reference.lite.learning.organizer import Command, OrganizerFailedError

ASKED = {"version": 1, "rules": [], "feedback": [{"text": "短"}]}


def test_the_output_is_what_the_program_prints() -> None:
    echo = Command([sys.executable, "-X", "utf8", "-c", "print(input(), end='')"], seconds=30)

    assert echo(ASKED) == '{"version": 1, "rules": [], "feedback": [{"text": "短"}]}'


@pytest.mark.parametrize(
    ("program", "seconds", "outcome"),
    [
        ("import time; time.sleep(60)", 0.2, "timeout"),
        ("raise SystemExit(3)", 30, "llm_error"),
        (r"import sys; sys.stdout.buffer.write(b'\xff')", 30, "llm_error"),
    ],
)
def test_a_program_that_fails_says_how(program: str, seconds: float, outcome: str) -> None:
    failing = Command([sys.executable, "-c", program], seconds)

    with pytest.raises(OrganizerFailedError) as caught:
        failing(ASKED)

    assert caught.value.outcome == outcome


def test_a_program_that_is_not_there_is_an_error_of_the_organizer() -> None:
    missing = Command(["memrules-no-such-program"], seconds=30)

    with pytest.raises(OrganizerFailedError) as caught:
        missing(ASKED)

    assert caught.value.outcome == "llm_error"
