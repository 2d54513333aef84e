"""Speaks a protocol that does not exist yet."""

from misbehaving.polite import serve

serve(lambda _: None, {"protocol": 2, "dialect": "modern"})
