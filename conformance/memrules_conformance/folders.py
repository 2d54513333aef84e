"""Where the kit's own data lies: inside the wheel if this is one, else in a checkout."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def templates_folder() -> Path:
    """Return the folder of what ``memrules new`` and ``memrules export`` write from."""
    return _HERE / "data" / "templates"


def adapters_folder() -> Path:
    """Return the folder of the adapters that travel with the kit: ``node/``."""
    wheel = _HERE / "data" / "adapters"
    return wheel if wheel.is_dir() else _HERE.parent / "adapters"


def broken_folder() -> Path:
    """Return the folder of the mistakes that the suite is known to see."""
    wheel = _HERE / "data" / "broken"
    return wheel if wheel.is_dir() else _HERE.parent / "selftest" / "broken"
