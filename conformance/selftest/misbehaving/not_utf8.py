"""Answers in another encoding."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda request: say(line_of(request, READ).replace(b'"b"', b'"\xe9"') + b"\n"))
