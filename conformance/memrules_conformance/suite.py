"""The suite: every check that there is, from wherever it comes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memrules_spec import SpecError, fixtures_folder

from .checks import Check
from .durability import durability_checks
from .fixtures import checks_of, read_all
from .properties import property_checks
from .worlds import decide_checks, machine_checks, world_checks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memrules_spec import Fault, Rules

    from .checks import Bench


def suite(rules: Rules, *, quick: bool = False) -> tuple[Check, ...]:
    """Return every check that holds for the rules under their readings, in the report's order.

    ``quick`` leaves out what never stands at the level quick, and is slow to make.
    """
    cases, faults = read_all(rules)
    return (
        *_unreadable(faults),
        *checks_of(cases),
        *decide_checks(rules),
        *(() if quick else world_checks(rules)),
        *(() if quick else machine_checks(rules)),
        *property_checks(),
        *durability_checks(),
    )


def suite_digest(checks: Iterable[Check]) -> str:
    """Return the digest of what is asked: the checks by what they claim, and the fixtures' text."""
    claims = [
        [c.id, c.area, c.clauses, c.binding, c.level, sorted(c.needs), dict(c.readings)]
        for c in checks
    ]
    digest = hashlib.sha256(json.dumps(claims, sort_keys=True).encode("utf-8"))
    folder = fixtures_folder()
    for file in sorted(folder.rglob("*.yaml")):
        digest.update(file.relative_to(folder).as_posix().encode("utf-8"))
        digest.update(file.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The run of a file of fixtures that cannot be used: it says why."""

    faults: tuple[Fault, ...]

    def __call__(self, bench: Bench) -> None:  # noqa: ARG002 nothing is asked
        """Raise SpecError, which is a fault of the suite and not of the target."""
        raise SpecError(self.faults)


def _unreadable(faults: Iterable[Fault]) -> Iterator[Check]:
    """Yield a check for each file of fixtures that cannot be used; the others are still asked."""
    files: dict[str, list[Fault]] = {}
    for fault in faults:
        files.setdefault(fault.file, []).append(fault)
    for file, found in files.items():
        yield Check(
            id=file.removeprefix("fixtures/"),
            area="fixtures",
            clauses=(),
            binding="advisory",
            level="quick",
            kind="fixture",
            run=Unreadable(tuple(found)),
            name="this file of fixtures cannot be used",
        )
