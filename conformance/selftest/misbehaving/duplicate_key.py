"""Says one thing and its opposite under the same key."""

from misbehaving.polite import READ, line_of, say, serve

serve(lambda r: say(line_of(r, READ).replace(b'"text"', b'"text": "c", "text"') + b"\n"))
