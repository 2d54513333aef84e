"""A target that has said hello, and the judgement of one check after another.

A fail is tried once more with a fresh target; what then passes is ``error: unstable``, never
``pass``.
"""

from __future__ import annotations

import threading
import time
import traceback
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from memrules_spec import Rules, SpecError

from .bench import Doors, OpenBench
from .capabilities import HOSTING, Claims, unknown_capabilities
from .checks import Check, Outcome, Verdict
from .outcomes import finish, play
from .report import family_of
from .safe_text import clean, clean_value, clip
from .stdio import Limits
from .stores import Stores
from .targets import Asking, PythonTarget, StartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from .targets import Target

MOST_LOST = 5
"""Targets lost one after the other; then the run ends."""


@dataclass(frozen=True)
class Options:
    """How a run goes.  Nothing here but ``readings`` can change a verdict."""

    rules: Rules | None = None
    readings: Mapping[str, str | int] = field(default_factory=dict)
    """What the target is asked to adopt; it is held to what it declares."""
    seed: int = 0
    workers: int = 1
    shuffle: bool = False
    limits: Limits = field(default_factory=Limits)
    store_root: Path | None = None
    retry: bool = True
    """Whether a fail is tried once more; a target without any state needs no second try."""
    hasty: bool = False
    """Whether only verdicts count: a check ends at the first thing that is wrong."""
    most_worlds: int | None = None
    """In how many worlds a row is asked through an entry point, drawn by the seed; None is all."""
    progress: Callable[[Outcome], None] | None = None


class Session:
    """A target that has said hello, and what every judgement of it needs."""

    def __init__(self, target: Target, options: Options) -> None:
        """Start the target; raise StartError if it does not, or declares what does not exist."""
        rules = options.rules or Rules.load()
        self._target = target
        self._options = options
        self._asking = Asking(rules, options.readings, options.limits)
        self._stores = Stores(options.store_root)
        self._lost = 0
        self._lock = threading.Lock()
        self._own = Doors(target, self._asking)
        self._doors = [self._own]
        try:
            hosted = not _in_process(target, options)
            self.hello: Mapping[str, Any] = self._own.door(hosted=hosted).hello
            self.rules = _declared(target, rules, self.hello)
        except BaseException:
            self.close()
            raise
        self.claims = Claims.of(self.hello)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything that was started and remove every store."""
        for doors in self._doors:
            doors.close()
        self._stores.remove()

    def doors(self) -> Doors:
        """Return doors for one more worker, closed with the session."""
        doors = Doors(self._target, self._asking)
        self._doors.append(doors)
        return doors

    def split(self, checks: Iterable[Check]) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
        """Return the checks that hold under the declared readings, and the others."""
        inside: list[Check] = []
        outside: list[Check] = []
        for check in checks:
            holds = all(
                self.rules.reading(family_of(check), key) == option
                for key, option in check.readings.items()
            )
            (inside if holds else outside).append(check)
        return tuple(inside), tuple(outside)

    def judge(self, check: Check, doors: Doors | None = None) -> Outcome:
        """Return the verdict of one check, on these doors or on the session's own."""
        began = time.perf_counter()
        try:
            outcome = self._judged(check, doors or self._own)
        except Exception:  # noqa: BLE001 a bug of ours costs one verdict
            outcome = Outcome(check, Verdict.HARNESS_ERROR, traceback.format_exc())
        return replace(
            outcome,
            message=clean(clip(self._stores.without_paths(outcome.message))),
            expected=clean_value(self._stores.without_paths(outcome.expected)),
            actual=clean_value(self._stores.without_paths(outcome.actual)),
            seconds=time.perf_counter() - began,
        )

    def _judged(self, check: Check, doors: Doors) -> Outcome:
        """Return the verdict of one check, its fails tried twice."""
        if reason := self._reason_against(check):
            return Outcome(check, Verdict.UNSUPPORTED, reason)
        if self._lost >= MOST_LOST:
            return Outcome(
                check, Verdict.ERROR, f"not asked: the target was lost {MOST_LOST} times"
            )
        hosted = self._is_hosted(check)
        first = self._tried(check, doors, hosted=hosted)
        if first.verdict is not Verdict.FAIL or not self._options.retry:
            return first
        doors.drop(hosted=hosted)
        if self._tried(check, doors, hosted=hosted).verdict is Verdict.PASS:
            message = f"unstable: it passed when tried again; before, {first.message}"
            return replace(first, verdict=Verdict.ERROR, message=message)
        return first

    def _reason_against(self, check: Check) -> str | None:
        """Return why a check cannot be asked of the target, or None."""
        if family_of(check) not in self.claims.families:
            return f"the target has no family {family_of(check)}"
        missing = self.claims.missing(check)
        if self.claims.seeds_by_saving() and "seed.records" in missing:
            missing.remove("seed.records")
        if not missing:
            return None
        return "; ".join(f"{name}: {self.claims.reason_against(name)}" for name in missing)

    def _is_hosted(self, check: Check) -> bool:
        """Tell whether a check needs a process of its own."""
        if not _in_process(self._target, self._options):
            return True
        return check.kind == "durability" or bool(check.needs & HOSTING)

    def _tried(self, check: Check, doors: Doors, *, hosted: bool) -> Outcome:
        """Return the verdict of one try."""
        try:
            bench = OpenBench(
                doors,
                self.rules,
                self.claims,
                self._stores,
                family=family_of(check),
                seed=self._options.seed,
                hosted=hosted,
                durable=check.kind == "durability",
                hasty=self._options.hasty,
                most_worlds=self._options.most_worlds,
            )
        except StartError as error:
            self._count(lost=True)
            return Outcome(check, Verdict.ERROR, str(error))
        outcome = play(check, bench)
        owed = finish(check, bench)
        self._count(lost=bench.lost())
        return owed if owed is not None and outcome.verdict is Verdict.PASS else outcome

    def _count(self, *, lost: bool) -> None:
        """Count the targets that were lost one after the other."""
        with self._lock:
            if self._lost < MOST_LOST:
                self._lost = self._lost + 1 if lost else 0


def _in_process(target: Target, options: Options) -> bool:
    """Tell whether the target is an object here: several at a time would share its modules."""
    if not isinstance(target, PythonTarget):
        return False
    return options.workers <= 1 or not target.name


def _declared(target: Target, rules: Rules, hello: Mapping[str, Any]) -> Rules:
    """Return the rules under the readings that a target declared; raise StartError."""
    if unknown := unknown_capabilities(hello):
        raise StartError(
            f"{target.text} says that it does not support {', '.join(map(repr, unknown))}, and "
            "there is no such capability: the list is spec/capabilities.yaml"
        )
    try:
        return rules.with_readings(hello["readings"])
    except SpecError as error:
        faults = "; ".join(fault.message for fault in error.faults)
        raise StartError(
            f"{target.text} declares a reading that does not exist: {faults}"
        ) from error
