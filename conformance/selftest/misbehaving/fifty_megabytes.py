"""Answers with fifty megabytes."""

from misbehaving.polite import READ, answer, serve

serve(lambda request: answer(request, {**READ, "text": "x" * 50_000_000}))
