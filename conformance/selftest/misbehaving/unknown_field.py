"""Adds a field that the operation does not have."""

from misbehaving.polite import READ, answer, serve

serve(lambda r: answer(r, {**READ, "result": {"status": "gone", "why": "archived"}}))
