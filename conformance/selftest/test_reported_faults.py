"""Every kind of fault that users of other memories reported has a check of its own."""

from __future__ import annotations

from functools import cache

import pytest

from judging import rules
from memrules_conformance.durability import durability_checks
from memrules_conformance.fixtures import load_cases

FAULTS = (
    "B01", "B02", "B04", "B06", "B07", "B11", "B12", "B14", "B15", "B17", "B18", "B19", "B21",
    "B22", "B27", "B28", "B30", "B31", "B32", "B34", "B36", "B38", "B41", "B42", "B43", "B44",
    "B46", "B48", "B50", "B51", "B53", "B54", "B56", "B57", "B93",
)  # fmt: skip

# What no fixture can show, for it takes processes or every point of a write.
ELSEWHERE = {
    "B01": "durability:lite/race/saves",
    "B02": "durability:lite/race/updates",
    "B04": "durability:lite/memory_save_update/io",
}


@cache
def covered() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for case in load_cases(rules()):
        for fault in case.covers:
            found.setdefault(fault, set()).add(case.check_id)
    return found


@cache
def durable() -> set[str]:
    return {check.id for check in durability_checks()}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_reported_fault_is_covered_as_a_kind(fault: str) -> None:
    assert covered().get(fault) or ELSEWHERE[fault] in durable()


def test_no_case_covers_a_fault_that_nobody_reported() -> None:
    assert set(covered()) <= set(FAULTS)
