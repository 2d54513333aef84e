"""Dies of its own mistake, as Python does: a traceback on stderr, exit code 1."""

from misbehaving.polite import serve


def fail(_: object) -> None:
    message = "1 validation error for Record\nrevision\n  Input should be a valid integer"
    raise ValueError(message)


serve(fail)
