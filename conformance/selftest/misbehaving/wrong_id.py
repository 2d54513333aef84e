"""Answers a request that nobody made."""

from misbehaving.polite import READ, answer, serve

serve(lambda request: answer({**request, "id": 999}, READ))
