"""Prints how long the parts of a run take: ``nox -s bench``.  It judges nothing."""

from __future__ import annotations

import io
import itertools
import sys
import time
from contextlib import redirect_stdout
from functools import partial
from typing import TYPE_CHECKING

from memrules_conformance.cli import main
from memrules_conformance.targets import Asking, target_of
from memrules_spec import Rules
from memrules_spec.checking import prove_rules

if TYPE_CHECKING:
    from collections.abc import Callable

GATE = "lite/eligibility"
BATCH = 1000
STDIO = f"stdio:{sys.executable} -m memrules_reference.adapter"


def timed(what: str, action: Callable[[], object]) -> None:
    """Do something once and print the seconds that it took."""
    began = time.perf_counter()
    action()
    sys.stdout.write(f"{time.perf_counter() - began:8.2f} s  {what}\n")


def check(*arguments: str) -> None:
    """Run ``memrules check`` without its output."""
    with redirect_stdout(io.StringIO()):
        main(["check", *arguments])


def decide_in_process(rules: Rules) -> None:
    """Decide every combination of the gate twice: the second time from memory."""
    for _ in range(2):
        for inputs in rules.tables[GATE].combinations():
            rules.decide(GATE, inputs)


def decide_on_a_pipe(rules: Rules) -> None:
    """Decide every combination of the gate over stdio, in batches."""
    door = target_of(STDIO).open(Asking(rules), hosted=True)
    combinations = rules.tables[GATE].combinations()
    while batch := list(itertools.islice(combinations, BATCH)):
        door.call("decide", {"table": GATE, "inputs": batch})
    door.close()


def bench() -> None:
    """Time everything once."""
    rules = Rules.load()
    timed("load the rules", Rules.load)
    timed("prove every table", lambda: prove_rules(rules))
    timed("decide the gate twice, in process", lambda: decide_in_process(rules))
    timed("decide the gate on a pipe", lambda: decide_on_a_pipe(rules))
    for level in ("quick", "default"):
        timed(f"check the reference, {level}", partial(check, "--level", level))
    timed("check the reference on a pipe, quick", lambda: check(STDIO, "--level", "quick"))


if __name__ == "__main__":
    bench()
