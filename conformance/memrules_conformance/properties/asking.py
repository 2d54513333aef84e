"""How a property is put to a target: Hypothesis looks for an example for which it does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import hypothesis
from hypothesis import HealthCheck, Phase, settings

from memrules_conformance.checks import Bench, Check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import SearchStrategy

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)
HASTY = (Phase.explicit, Phase.generate)


class Property:
    """One clause as an *if and only if* over generated worlds.

    ``examples`` says how to draw one, ``holds`` asks the target about it and raises Mismatch.
    """

    clauses: ClassVar[tuple[str, ...]]
    area: ClassVar[str]
    needs: ClassVar[frozenset[str]]
    count: ClassVar[int] = 25
    binding: ClassVar[str] = "strict"
    readings: ClassVar[Mapping[str, str]] = {}
    level: ClassVar[str] = "default"

    def examples(self) -> SearchStrategy[Any]:
        """Return the strategy that draws an example."""
        raise NotImplementedError

    def holds(self, bench: Bench, example: Any) -> None:
        """Ask the target; raise Mismatch where the property does not hold."""
        raise NotImplementedError


def property_check(rule: Property) -> Check:
    """Return the check of a property: the same examples for the same seed."""

    def run(bench: Bench) -> None:
        @hypothesis.seed(bench.seed)
        @settings(
            max_examples=rule.count,
            database=None,
            deadline=None,
            phases=HASTY if bench.hasty else PHASES,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
        )
        @hypothesis.given(rule.examples())
        def ask(example: Any) -> None:
            rule.holds(bench, example)

        ask()

    name = type(rule).__name__
    return Check(
        id=f"property:lite/{name}",
        area=rule.area,
        clauses=rule.clauses,
        binding=rule.binding,
        level=rule.level,
        kind="property",
        run=run,
        needs=rule.needs,
        readings=rule.readings,
        name=(type(rule).__doc__ or name).partition("\n")[0],
    )
