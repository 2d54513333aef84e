"""Proofs and decisions against two oracles: brute force, and subtraction of boxes."""

from __future__ import annotations

import itertools
import random
import timeit
from typing import TYPE_CHECKING, Any

import pytest

from memrules_spec import InputsError
from memrules_spec.proofs import Space, prove, regions
from memrules_spec.tables import Table, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

RANDOM_TABLES = 2000


def table(
    rows: list[Any],
    inputs: Mapping[str, Any] | None = None,
    chosen: Mapping[str, str | int] | None = None,
    limits: Mapping[str, int] | None = None,
    **more: object,
) -> Table:
    source = {
        "family": "lite",
        "id": "t",
        "title": "a table",
        "inputs": inputs or {"a": ["1", "2"], "b": ["x", "y", "z"]},
        "outcome": {"o": ["p", "q"]},
        "rows": [
            {"id": f"R{n}", "then": {"o": "p"}, "binding": "strict", "clauses": ["LM-1.1"], **row}
            for n, row in enumerate(rows)
        ],
        **more,
    }
    return table_of(source, chosen or {}, limits or {}, "t.yaml")


def random_table(chance: random.Random) -> Table:
    inputs = {
        f"i{n}": [f"v{v}" for v in range(chance.randint(1, 4))] for n in range(chance.randint(1, 4))
    }

    def condition() -> dict[str, list[str]]:
        return {
            name: chance.sample(domain, chance.randint(1, len(domain)))
            for name, domain in inputs.items()
            if chance.random() < 0.6
        }

    rows = [
        {"when": condition(), "then": {"o": chance.choice("pq")}}
        for _ in range(chance.randint(1, 7))
    ]
    never = [condition() for _ in range(chance.randint(0, 2))]
    return table(rows, inputs, never=never)


def brute(subject: Table) -> tuple[int, list[str], dict[str, int]]:
    """Gaps, dead rows and how many combinations each row decides, by looking at every one."""
    hits = dict.fromkeys((row.id for row in subject.rows), 0)
    gaps = 0
    for values in itertools.product(*subject.inputs.values()):
        point = dict(zip(subject.inputs, values, strict=True))
        if any(all(point[k] in v for k, v in gone.items()) for gone in subject.never):
            continue
        for row in subject.rows:
            if all(point[k] in v for k, v in row.when.items()):
                hits[row.id] += 1
                break
        else:
            gaps += 1
    return gaps, [row for row, n in hits.items() if not n], hits


def boxes(subject: Table) -> tuple[int, list[str]]:
    """Gaps and dead rows, by cutting each row's box out of what is left."""
    left: list[Any] = [{name: frozenset(domain) for name, domain in subject.inputs.items()}]

    def cut(pieces: list[Any], when: Mapping[str, Any]) -> tuple[list[Any], bool]:
        kept: list[Any] = []
        hit = False
        for piece in pieces:
            inner = {k: v & when.get(k, v) for k, v in piece.items()}
            if not all(inner.values()):
                kept.append(piece)
                continue
            hit = True
            rest = dict(piece)
            for name in piece:
                outside = rest[name] - inner[name]
                if outside:
                    kept.append({**rest, name: outside})
                rest[name] = inner[name]
        return kept, hit

    for gone in subject.never:
        left, _ = cut(left, gone)
    dead = []
    for row in subject.rows:
        left, hit = cut(left, row.when)
        if not hit:
            dead.append(row.id)
    volume = 0
    for piece in left:
        size = 1
        for values in piece.values():
            size *= len(values)
        volume += size
    return volume, dead


def test_the_proof_agrees_with_brute_force_and_with_boxes_on_random_tables() -> None:
    chance = random.Random(7)
    seen_gaps = seen_dead = 0
    for _ in range(RANDOM_TABLES):
        subject = random_table(chance)

        proof = prove(subject)

        gaps, dead, hits = brute(subject)
        assert (proof.gaps, list(proof.dead)) == (gaps, dead)
        assert (proof.gaps, list(proof.dead)) == boxes(subject)
        assert dict(proof.decided_by) == hits
        seen_gaps += bool(gaps)
        seen_dead += bool(dead)
    assert seen_gaps > 100
    assert seen_dead > 100


def test_a_gap_comes_with_a_combination_that_no_row_matches() -> None:
    subject = table([{"when": {"a": ["1"]}}, {"when": {"b": ["x", "y"]}}])

    proof = prove(subject)

    assert proof.gap == {"a": "2", "b": "z"}
    with pytest.raises(InputsError, match="no row matches"):
        subject.decide({"a": "2", "b": "z"})


def test_every_bit_is_the_combination_it_stands_for() -> None:
    subject = table([{"when": {}}])
    space = Space(subject.inputs)

    for bit, point in enumerate(subject.combinations()):
        assert space.combination(bit) == point
        assert space.matching({k: frozenset([v]) for k, v in point.items()}) == 1 << bit


def test_regions_do_not_overlap_and_fill_the_table() -> None:
    chance = random.Random(11)
    for _ in range(200):
        subject = random_table(chance)
        space = Space(subject.inputs)
        union = 0
        for bits in regions(subject, space).values():
            assert not union & bits
            union |= bits


def test_the_first_matching_row_decides() -> None:
    subject = table([{"when": {"a": ["1"]}, "then": {"o": "q"}}, {"when": {}}])

    assert subject.decide({"a": "1", "b": "x"}).row == "R0"
    assert subject.decide({"a": "2", "b": "x"}).row == "R1"


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"a": "1"}, "needs b"),
        ({"a": "1", "b": "w"}, "'w' is not one of"),
        ({"a": "1", "b": "x", "c": "1"}, "has no input c"),
        ({"a": True, "b": "x"}, "True is not one of"),
        ({"a": ["1"], "b": "x"}, "is not one of"),
    ],
)
def test_wrong_inputs_are_refused_also_after_a_right_answer(inputs: Any, words: str) -> None:
    subject = table([{"when": {}}])
    subject.decide({"a": "1", "b": "x"})

    with pytest.raises(InputsError, match=words):
        subject.decide(inputs)


def test_a_cut_belongs_to_the_class_below_it() -> None:
    subject = table(
        [{"when": {"n": ["<=most"]}, "then": {"o": "q"}}, {"when": {}}],
        {"n": {"cuts": [{"$limit": "most"}]}},
        limits={"most": 3},
    )

    assert [subject.decide({"n": n}).outcome["o"] for n in (0, 3, 4)] == ["q", "q", "p"]


def test_a_number_reading_moves_its_cut() -> None:
    inputs = {"n": {"cuts": [{"$reading": "few"}]}}
    rows = [{"when": {"n": ["<=few"]}, "then": {"o": "q"}}, {"when": {}}]

    low, high = (table(rows, inputs, chosen={"few": number}) for number in (1, 2))

    assert [low.decide({"n": 2}).outcome["o"], high.decide({"n": 2}).outcome["o"]] == ["p", "q"]


def test_a_reading_is_an_outcome_a_field_and_a_condition() -> None:
    rows = [
        {"when": {"a": ["1"], "reading.k": ["left"]}, "then": {"o": "q"}},
        {
            "when": {"a": ["1"]},
            "then": {"by_reading": "k", "of": {"left": {"o": "p"}, "right": {"o": "q"}}},
        },
        {"when": {}, "then": {"o": {"by_reading": "k", "of": {"left": "p", "right": "q"}}}},
    ]

    left, right = (table(rows, chosen={"k": option}) for option in ("left", "right"))

    assert left.decide({"a": "1", "b": "x"}).row == "R0"
    assert right.decide({"a": "1", "b": "x"}).outcome == {"o": "q"}
    assert left.decide({"a": "2", "b": "x"}).outcome == {"o": "p"}
    assert right.decide({"a": "2", "b": "x"}).outcome == {"o": "q"}


def test_where_the_order_is_free_either_outcome_conforms_and_elsewhere_only_the_first() -> None:
    rows = [
        {"when": {"a": ["1"]}, "then": {"o": "q"}},
        {"when": {"b": ["x"]}, "then": {"o": "p"}, "any_order_with": ["R0"]},
        {"when": {}, "then": {"o": "q"}},
    ]
    subject = table(rows)

    assert [o["o"] for o in subject.accepted({"a": "1", "b": "x"})] == ["q", "p"]
    assert [o["o"] for o in subject.accepted({"a": "1", "b": "y"})] == ["q"]
    assert [o["o"] for o in subject.accepted({"a": "2", "b": "x"})] == ["p"]


def test_a_free_row_behind_a_bound_one_does_not_come_first() -> None:
    rows = [
        {"when": {"a": ["1"]}, "then": {"o": "q"}},
        {"when": {"b": ["x"]}, "then": {"o": "q"}},
        {"when": {"b": ["x"]}, "then": {"o": "p"}, "any_order_with": ["R1"]},
        {"when": {}},
    ]

    assert [o["o"] for o in table(rows).accepted({"a": "1", "b": "x"})] == ["q"]


def test_an_open_row_accepts_what_it_says() -> None:
    subject = table([{"when": {}, "binding": "open", "accept": [{"o": "p"}, {"o": "q"}]}])

    assert [o["o"] for o in subject.accepted({"a": "1", "b": "x"})] == ["p", "q"]


def test_a_decision_that_was_taken_before_costs_about_a_microsecond() -> None:
    subject = table([{"when": {"a": ["1"]}}, {"when": {}}])
    inputs = {"a": "2", "b": "z"}
    subject.decide(inputs)

    seconds = min(timeit.repeat(lambda: subject.decide(inputs), number=10_000, repeat=5)) / 10_000

    assert seconds < 5e-6
