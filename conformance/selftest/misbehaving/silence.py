"""Never answers."""

from misbehaving.polite import serve

serve(lambda _: None)
