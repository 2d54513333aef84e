"""The stubs judged beside a target, in a process of their own: half the waiting on two cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memrules_spec import Rules

from .judge import Options
from .stub_scores import stub_scores
from .suite import suite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    from .checks import Check
    from .report import Totals
    from .selection import Selection

FEW = 200
"""Checks for which a process of their own costs more than it saves."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a target is asked, in a form that another process understands."""

    spec: Path
    readings: Mapping[str, str | int]
    """What the target declared, by ``family/key``."""
    selection: Selection
    seed: int

    @classmethod
    def of(cls, rules: Rules, selection: Selection, seed: int) -> Asked:
        """Return what is asked under some rules."""
        chosen = {
            f"{family}/{key}": value
            for family, keys in rules.chosen.items()
            for key, value in keys.items()
        }
        return cls(rules.folder, chosen, selection, seed)

    def scores(self, rules: Rules, checks: Sequence[Check]) -> dict[str, Totals]:
        """Return the totals of each stub, judged here and now."""
        most = self.selection.most_worlds
        return stub_scores(checks, Options(rules=rules, seed=self.seed, most_worlds=most))


def scores_beside(
    asked: Asked, rules: Rules, checks: Sequence[Check]
) -> Callable[[], dict[str, Totals]]:
    """Return what waits for the totals of each stub; where it pays they are on their way."""
    if len(checks) <= FEW or (os.cpu_count() or 1) == 1:
        return lambda: asked.scores(rules, checks)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_score, args=(asked, there), daemon=True)
    process.start()
    there.close()

    def wait() -> dict[str, Totals]:
        try:
            found: dict[str, Totals] = here.recv()
        except EOFError:  # it was ended from outside: nothing is lost but time
            return asked.scores(rules, checks)
        process.join()
        return found

    return wait


def _score(asked: Asked, there: Connection) -> None:
    """Judge the stubs and send what they score."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rules = Rules.load(asked.spec, asked.readings)
    checks = asked.selection.of(suite(rules, quick=asked.selection.level == "quick"))
    there.send(asked.scores(rules, checks))
