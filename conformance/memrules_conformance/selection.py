"""Which checks of the suite are asked: what the options of a command line name."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .checks import LEVELS
from .report import family_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .checks import Check

MOST_NAMES = 12
MOST_WORLDS = 64


class NothingSelectedError(Exception):
    """A name selects no check, or all of them together select none; the message says which."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The names that a check must match: one of each kind of which any is given.

    A name may be a pattern with ``*``.  ``fixtures`` are ids of checks of any kind or of files of
    fixtures; ``level`` None is the default level, or every level where fixtures are named.
    """

    families: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    bindings: tuple[str, ...] = ()
    level: str | None = None

    @property
    def most_worlds(self) -> int | None:
        """In how many worlds a row is asked through an entry point: at the level long in all."""
        return None if self._level == "long" else MOST_WORLDS

    @property
    def _level(self) -> str:
        return self.level or ("long" if self.fixtures else "default")

    def of(self, checks: Iterable[Check]) -> tuple[Check, ...]:
        """Return the selected checks in their order; raise NothingSelectedError if none is."""
        left = tuple(checks)
        for option, names in (
            ("family", self.families),
            ("area", self.areas),
            ("clause", self.clauses),
            ("fixture", self.fixtures),
            ("binding", self.bindings),
        ):
            _refuse_idle(option, names, left)
            left = tuple(c for c in left if not names or any(_is(c, option, n) for n in names))
        most = LEVELS.index(self._level)
        found = tuple(c for c in left if LEVELS.index(c.level) <= most)
        if not found:
            lowest = min((c.level for c in left), key=LEVELS.index, default="quick")
            raise NothingSelectedError(
                f"no check selected: what is named begins at level {lowest}; add --level {lowest}"
            )
        return found


def _named(check: Check, option: str) -> tuple[str, ...]:
    """Return what an option can call a check."""
    return {
        "family": (family_of(check),),
        "area": (check.area,),
        "clause": check.clauses,
        "fixture": (check.id, check.id.partition("#")[0]),
        "binding": (check.binding,),
    }[option]


def _is(check: Check, option: str, name: str) -> bool:
    """Tell whether a name of an option stands for a check."""
    return any(value == name or fnmatchcase(value, name) for value in _named(check, option))


def _refuse_idle(option: str, names: Sequence[str], checks: Sequence[Check]) -> None:
    """Raise NothingSelectedError for the first name that stands for none of the checks."""
    for name in names:
        if not any(_is(check, option, name) for check in checks):
            known = list(dict.fromkeys(v for check in checks for v in _named(check, option)))
            raise NothingSelectedError(
                f"no check selected: --{option} {name} names none; {_proposal(name, known)}"
            )


def _proposal(name: str, known: Sequence[str]) -> str:
    """Return what may have been meant."""
    if near := difflib.get_close_matches(name, known, n=3, cutoff=0.6):
        return f"did you mean {' or '.join(near)}?"
    if len(known) <= MOST_NAMES:
        return f"there are {', '.join(known) or 'none left'}"
    return f"there are {', '.join(known[:3])} and {len(known) - 3} more"
