"""The stubs judged beside a target, in a process of their own: half the waiting on two cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import TYPE_CHECKING

from .stub_scores import stub_scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from .checks import Check
    from .judge import Options
    from .report import Totals

FEW = 200
"""Checks for which a process of their own costs more than it saves."""


def scores_beside(checks: Sequence[Check], options: Options) -> Callable[[], dict[str, Totals]]:
    """Return what waits for the totals of each stub; where it pays they are on their way.

    The process is a copy of this one, which a system without ``fork`` cannot make and which
    threads forbid: call it before a target is started.
    """
    if (
        len(checks) <= FEW
        or (os.cpu_count() or 1) == 1
        or "fork" not in multiprocessing.get_all_start_methods()
        or threading.active_count() > 1
    ):
        return lambda: stub_scores(checks, options)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_score, args=(checks, options, there), daemon=True)
    process.start()
    there.close()

    def wait() -> dict[str, Totals]:
        try:
            found: dict[str, Totals] = here.recv()
        except EOFError:  # it was ended from outside: nothing is lost but time
            return stub_scores(checks, options)
        process.join()
        return found

    return wait


def _score(checks: Sequence[Check], options: Options, there: Connection) -> None:
    """Judge the stubs and send what they score."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    there.send(stub_scores(checks, options))
