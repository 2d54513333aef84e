"""The suite: every check that there is, from wherever it comes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from memrules_spec import fixtures_folder

from .durability import durability_checks
from .properties import property_checks
from .worlds import decide_checks, world_checks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memrules_spec import Rules

    from .checks import Check


def suite(rules: Rules) -> tuple[Check, ...]:
    """Return every check that holds for the rules under their readings, in the report's order."""
    return (
        *decide_checks(rules),
        *world_checks(rules),
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
