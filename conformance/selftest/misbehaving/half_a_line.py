"""Writes half of its answer and stops there."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda request: say(line_of(request, READ)[:40]))
