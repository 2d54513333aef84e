"""Answers twice."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda request: say(2 * (line_of(request, READ) + b"\n")))
