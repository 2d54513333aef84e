"""Declares a reading that the rules do not have."""

from misbehaving.polite import serve

serve(lambda _: None, {"readings": {"no-such-reading": "yes"}})
