"""The judge: one target, many checks, one verdict each.

Plain Python, used by the command line and by the pytest plugin.
"""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from .report import Report
from .safe_text import clean, clean_value
from .session import Options, Session
from .targets import StartError, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memrules_spec import Rules

    from .bench import Doors
    from .checks import Check, Outcome
    from .targets import Target

__all__ = ["Options", "Session", "run"]


def run(
    target: str | Target,
    checks: Iterable[Check] | Callable[[Rules], Iterable[Check]],
    options: Options | None = None,
) -> Report:
    """Return what a target makes of checks; raise UsageError if ``target`` is none.

    ``checks`` may be made of the rules under the readings that the target declared.
    A target that does not start, or that declares readings or capabilities which do not exist,
    gives a report with ``refused`` and no outcome.
    """
    options = options or Options()
    target = target_of(target) if isinstance(target, str) else target
    try:
        session = Session(target, options)
    except StartError as error:
        return Report(target.text, options.seed, refused=clean(str(error)))
    with session:
        rules = session.rules
        inside, outside = session.split(checks(rules) if callable(checks) else checks)
        outcomes = _outcomes(session, inside, options)
        return Report(
            target=target.text,
            seed=options.seed,
            spec_digest=rules.digest,
            hello=clean_value(session.hello),
            outcomes=outcomes,
            outside=outside,
        )


def _outcomes(session: Session, checks: Sequence[Check], options: Options) -> tuple[Outcome, ...]:
    """Return the outcome of each check, in the order in which they were given."""
    order = list(range(len(checks)))
    if options.shuffle:
        random.Random(options.seed).shuffle(order)  # noqa: S311 an order, not a secret
    found: dict[int, Outcome] = {}
    waiting = iter(order)
    lock = threading.Lock()

    def work(doors: Doors | None) -> None:
        while True:
            with lock:
                place = next(waiting, None)
            if place is None:
                return
            outcome = session.judge(checks[place], doors)
            with lock:
                found[place] = outcome
                if options.progress is not None:
                    options.progress(outcome)

    if options.workers <= 1:
        work(None)
    else:
        with ThreadPoolExecutor(options.workers) as pool:
            others = [session.doors() for _ in range(options.workers - 1)]
            for done in [pool.submit(work, doors) for doors in (None, *others)]:
                done.result()
    return tuple(found[place] for place in range(len(checks)))
