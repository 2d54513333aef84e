"""Puts terminal escapes into a text."""

from misbehaving.polite import READ, answer, serve

BODY = "\x1b]0;owned\x07\x1b[2Jb\u202e"
serve(lambda r: answer(r, {**READ, "result": {**READ["result"], "body": BODY}}))  # type: ignore[dict-item]
