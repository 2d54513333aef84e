"""What the three stub targets score, so that nobody takes a percentage for more than it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .judge import Options, run
from .stubs import STUBS
from .targets import PythonTarget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .checks import Check
    from .report import Totals


def stub_scores(checks: Iterable[Check], options: Options | None = None) -> dict[str, Totals]:
    """Return the totals of each stub by its name.

    A stub has no state that a second try could change, so its fails are not tried again.
    """
    options = options or Options()
    options = replace(options, readings={}, retry=False, hasty=True, workers=1, progress=None)
    checks = tuple(checks)
    return {
        name: run(PythonTarget(name, f"{factory.__module__}:{name}"), checks, options).totals()
        for name, factory in STUBS.items()
    }
