"""The reference under every option of every choice reading, flipped one at a time.

Asked are the fixtures that hold under that option, those first that hold under no other.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from judging import rules
from memrules_conformance.checks import Check, Verdict
from memrules_conformance.fixtures import Play, is_slow
from memrules_conformance.judge import Options, run
from memrules_conformance.mutation import record
from memrules_conformance.suite import suite
from memrules_conformance.targets import target_of
from memrules_spec.checking import flips
from memrules_spec.proofs import Space, regions

if TYPE_CHECKING:
    from memrules_spec.tables import Table

FLIPS = [(key.partition("/")[2], option) for key, option in flips(rules())]


@cache
def fixtures() -> tuple[Check, ...]:
    return tuple(check for check in suite(rules(), quick=True) if check.kind == "fixture")


@cache
def asked() -> dict[str, dict[str, int]]:
    soon = [c for c in fixtures() if isinstance(c.run, Play) and not is_slow(c.run.case, c.needs)]
    return record(target_of("reference"), soon, rules())


def differing(one: Table, other: Table) -> int:
    """Return the combinations for which two tables decide differently, as bits."""
    space = Space(one.inputs)
    found = 0
    mine, theirs = regions(one, space), regions(other, space)
    for row in one.rows:
        for rival in other.rows:
            if row.decision.outcome != rival.decision.outcome:
                found |= mine[row.id] & theirs[rival.id]
    return found


def concerned(key: str, option: str) -> list[Check]:
    """Return the fixtures that name the option, and those that ask what it decides otherwise."""
    flipped = rules().with_readings({key: option})
    changed = {
        id_: differing(table, flipped.tables[id_])
        for id_, table in rules().tables.items()
        if key in table.readings
    }
    return [
        check
        for check in fixtures()
        if check.readings.get(key) == option
        or (
            key not in check.readings
            and any(asked().get(check.id, {}).get(id_, 0) & bits for id_, bits in changed.items())
        )
    ]


def test_every_option_of_every_choice_has_a_case() -> None:
    named = {pair for check in fixtures() for pair in check.readings.items()}
    texts = {key for key, reading in rules().readings["lite"].items() if reading.kind != "choice"}

    missing = [flip for flip in FLIPS if flip not in named and flip[0] not in texts]

    assert missing == []


@pytest.mark.parametrize(("key", "option"), FLIPS)
def test_the_reference_passes_under_every_single_other_option(key: str, option: str) -> None:
    report = run("reference", concerned(key, option), Options(readings={key: option}))

    assert report.refused == ""
    assert report.hello["readings"] == {key: option}
    wrong = [
        f"{outcome.check.id}: {outcome.message}"
        for outcome in report.outcomes
        if outcome.verdict not in (Verdict.PASS, Verdict.UNSUPPORTED)
    ]
    assert wrong == []
