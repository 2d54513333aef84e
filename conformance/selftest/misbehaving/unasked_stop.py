"""Stops at a point that nobody named."""

from misbehaving.polite import say, serve

LINE = b'{"jsonrpc": "2.0", "method": "reached", "params": {"point": "p", "n": 1}}\n'
serve(lambda _: say(LINE))
