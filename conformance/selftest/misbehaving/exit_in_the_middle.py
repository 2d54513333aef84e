"""Ends in the middle of a call."""

import os

from misbehaving.polite import serve

serve(lambda _: os._exit(7))
