"""Says who it is before anybody asked."""

from misbehaving.polite import say, serve

say(b"my-memory 1.0 ready\n")
serve(lambda _: None)
