"""Reads its first three requests and no more."""

import json
import sys
import time

from misbehaving.polite import HELLO, answer

answer(json.loads(sys.stdin.buffer.readline()), HELLO)
answer(json.loads(sys.stdin.buffer.readline()), {"ids": {}, "roots": {"store": ""}})
time.sleep(600)
