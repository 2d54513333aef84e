"""Sends half of a surrogate pair, as an escape."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda request: say(line_of(request, READ).replace(b'"b"', b'"\\ud83d"') + b"\n"))
