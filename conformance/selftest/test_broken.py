"""Every mistake of ``broken/`` is seen by a check that decides a clause which it breaks."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from breaking import MOST_LINES, Mistake, broken, mistakes, seen
from judging import rules
from memrules_conformance.checks import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVERY = mistakes()
LEAST_CONTROLS = 10


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder whose packages can be imported, and forget them afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("broken_"):
            del sys.modules[name]


@pytest.mark.parametrize("mistake", EVERY, ids=lambda mistake: mistake.id)
def test_a_mistake_is_red_where_its_clause_is_decided_and_nowhere_else(
    mistake: Mistake, folder: Path
) -> None:
    found = seen(mistake, broken(mistake, folder))
    said = [f"{o.check.id}: {o.message}" for o in found.report.outcomes]
    assert found.red, f"nothing is red among {len(said)} checks: {said}"
    assert set(mistake.breaks) == {outcome.check.clauses[0] for outcome in found.red}
    assert found.report.exit_code() == 1, said
    amiss = [o for o in found.controls.outcomes if o.verdict is not Verdict.PASS]
    assert [f"{o.check.id}: {o.verdict} {o.message}" for o in amiss] == []
    assert len(found.controls.outcomes) >= LEAST_CONTROLS


@pytest.mark.parametrize("mistake", EVERY, ids=lambda mistake: mistake.id)
def test_a_mistake_is_small_and_breaks_clauses_that_exist(mistake: Mistake) -> None:
    assert mistake.lines <= MOST_LINES
    assert [clause for clause in mistake.breaks if clause not in rules().clauses] == []


def test_every_strict_clause_that_a_target_is_asked_about_is_broken_by_a_mistake() -> None:
    asked = {
        clause.id
        for clause in rules().clauses.values()
        if clause.binding == "strict" and clause.checked == "target"
    }

    assert sorted(asked - {clause for mistake in EVERY for clause in mistake.breaks}) == []


def test_the_mistakes_are_many_and_each_has_a_name_of_its_own() -> None:
    assert len({mistake.id for mistake in EVERY}) == len(EVERY) >= 500


def test_a_mistake_in_a_reference_that_has_changed_is_loud(tmp_path: Path) -> None:
    elsewhere = replace(EVERY[0].changes[0], replace="no such text")
    with pytest.raises(ValueError, match="0 times, not once"):
        broken(replace(EVERY[0], changes=(elsewhere,)), tmp_path)
