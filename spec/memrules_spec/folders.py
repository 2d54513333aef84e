"""Where the data lies: inside the wheel if this is one, else beside the code in a checkout."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
_WHEEL = _HERE / "data"


def data_folder() -> Path:
    """Return the folder of the rules: families, ``schemas/`` and ``capabilities.yaml``."""
    return _WHEEL / "spec" if _WHEEL.is_dir() else _HERE.parent


def fixtures_folder() -> Path:
    """Return the folder of the fixtures: ``fixtures/`` with a folder a family."""
    return _WHEEL / "fixtures" if _WHEEL.is_dir() else _HERE.parent.parent / "fixtures"
