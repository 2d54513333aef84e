"""Prints a line for its author on stdout before it answers."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda request: say(b"debug: reading mem_trigger\n" + line_of(request, READ) + b"\n"))
