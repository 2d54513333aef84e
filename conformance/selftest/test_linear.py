"""A history is linearizable exactly if some order of it, true to the clock, explains it."""

from __future__ import annotations

import itertools
import random

import pytest

from memrules_conformance.durability.histories import GONE, after
from memrules_conformance.durability.linear import Operation, stuck


def read(body: str, began: float, ended: float) -> Operation:
    result = {} if body == GONE else {"body": body}
    return Operation(0, "read", "", result, began, ended)


def update(body: str, began: float, ended: float, *, changed: bool = True) -> Operation:
    return Operation(1, "update", body, {"changed": changed}, began, ended)


def purge(began: float, ended: float, *, changed: bool = True) -> Operation:
    return Operation(2, "purge", "", {"changed": changed}, began, ended)


@pytest.mark.parametrize(
    "history",
    [
        [],
        [read("0", 0, 1), update("1", 2, 3), read("1", 4, 5)],
        [update("1", 0, 9), read("1", 1, 2), read("1", 3, 4)],
        [update("1", 0, 9), read("0", 1, 2), read("1", 3, 4)],
        [update("1", 0, 9), update("2", 0, 9), read("2", 1, 2), read("1", 3, 4)],
        [purge(0, 5), read("0", 1, 2), read(GONE, 3, 4), update("1", 6, 7, changed=False)],
        [purge(0, 5), purge(0, 5, changed=False)],
    ],
)
def test_what_an_order_explains_is_linearizable(history: list[Operation]) -> None:
    assert stuck(history, "0", after) == ()


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([update("1", 0, 1), read("0", 2, 3)], id="a stale read"),
        pytest.param([update("1", 0, 9), read("1", 1, 2), read("0", 3, 4)], id="back in time"),
        pytest.param([update("1", 2, 3), read("1", 0, 1)], id="read before it was written"),
        pytest.param([update("1", 0, 1), update("2", 2, 3), read("1", 4, 5)], id="a lost update"),
        pytest.param([purge(0, 1), read("0", 2, 3)], id="read after the purge"),
        pytest.param([purge(0, 5), purge(0, 5)], id="purged twice"),
        pytest.param([purge(0, 1), update("1", 2, 3), read("1", 4, 5)], id="back from the dead"),
        pytest.param([update("1", 0, 1, changed=False), read("0", 2, 3)], id="a refused update"),
    ],
)
def test_what_no_order_explains_is_not(history: list[Operation]) -> None:
    assert stuck(history, "0", after) != ()


def explained(history: list[Operation]) -> bool:
    """Tell whether any order explains a history: every one is tried."""
    for order in itertools.permutations(history):
        clock_holds = all(
            not late.ended < early.began for early, late in itertools.combinations(order, 2)
        )
        body: str | None = "0"
        for operation in order if clock_holds else ():
            body = None if body is None else after(body, operation)
        if clock_holds and body is not None:
            return True
    return False


def test_it_agrees_with_trying_every_order() -> None:
    chance = random.Random(0)
    agreed = {True: 0, False: 0}
    for _ in range(1500):
        history = []
        for number in range(chance.randint(1, 5)):
            began = chance.randint(0, 8)
            ended = began + chance.randint(1, 5)
            kind = chance.choice((read, update, purge))
            if kind is read:
                history.append(read(chance.choice(("0", "1", "2", GONE)), began, ended))
            elif kind is update:
                done = chance.random() < 0.8
                history.append(update(str(number % 2 + 1), began, ended, changed=done))
            else:
                history.append(purge(began, ended, changed=chance.random() < 0.8))
        expected = explained(history)
        assert (stuck(history, "0", after) == ()) is expected, history
        agreed[expected] += 1
    assert min(agreed.values()) > 200
