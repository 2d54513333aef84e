"""Refuses something that is no capability."""

from misbehaving.polite import serve

serve(lambda _: None, {"unsupported": [{"capability": "lite.fly", "reason": "no wings"}]})
