"""One target, many checks, one verdict each."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import strategies as st

import judging
from judging import Plain, check, reading, refusing, run, target
from memrules_conformance.checks import Mismatch, Outcome, Verdict
from memrules_conformance.judge import Options
from memrules_conformance.stdio import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from memrules_conformance.checks import Bench, Check
    from memrules_conformance.report import Report


class ProtocolError(Exception):
    """What a Python target raises for an error of the protocol."""

    def __init__(self, code: int, **data: str) -> None:
        super().__init__("no")
        self.code = code
        self.data = data


def raising(error: BaseException) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def answer(_: dict[str, Any]) -> dict[str, Any]:
        raise error

    return answer


def answering(result: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda _: {"result": result, "text": ""}


def opening(world: dict[str, Any]) -> Callable[[Bench], None]:
    def run_it(bench: Bench) -> None:
        bench.open(world)

    return run_it


def verdict_of(plain: Plain, one: Check | None = None, **options: Any) -> Outcome:
    report = run(target(plain), [one or check("one", reading("mem_a"))], Options(**options))
    return report.outcomes[0]


def comparable(report: Report) -> list[Outcome]:
    return [replace(outcome, seconds=0) for outcome in report.outcomes]


def test_a_right_answer_passes() -> None:
    assert verdict_of(Plain()).verdict is Verdict.PASS


def test_a_wrong_answer_fails_with_what_was_expected_and_what_came() -> None:
    outcome = verdict_of(Plain(), check("one", reading("mem_a", body="c")))

    assert outcome.verdict is Verdict.FAIL
    assert (outcome.where, outcome.expected, outcome.actual) == ("$.body", "c", "b")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raising(ValueError("boom")), "raised ValueError: boom"),
        (raising(SystemExit(3)), "raised SystemExit: 3"),
        (raising(ProtocolError(-32003, message="disk gone")), "disk gone"),
        (raising(ProtocolError(-32603)), "-32603"),
        (answering({"status": "ok", "body": 1}), "breaks its schema"),
        (answering({"status": "ok", "body": float("nan")}), "not JSON compliant"),
        (answering({"status": {1, 2}}), "JSON has no set"),
        (lambda _: None, "breaks its schema"),
    ],
)
def test_a_target_that_could_not_be_asked_is_an_error(
    answer: Callable[[dict[str, Any]], dict[str, Any]], words: str
) -> None:
    outcome = verdict_of(Plain(call=answer))

    assert outcome.verdict is Verdict.ERROR
    assert words in outcome.message


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ProtocolError(-32001, capability="trace"), "trace"),
        (ProtocolError(-32002, what="a cold body"), "cannot build a cold body"),
    ],
)
def test_what_a_target_refuses_by_name_is_unsupported(error: ProtocolError, words: str) -> None:
    outcome = verdict_of(Plain(open=raising(error)))

    assert outcome.verdict is Verdict.UNSUPPORTED
    assert words in outcome.message


@pytest.mark.parametrize("refused", ["inspect.records", "inspect"])
def test_a_need_that_is_not_claimed_is_unsupported_with_the_reason_given(refused: str) -> None:
    one = check("one", reading("mem_a"), needs=frozenset({"inspect.records"}))
    plain = Plain(refusing(refused))

    outcome = verdict_of(plain, one)

    assert outcome.verdict is Verdict.UNSUPPORTED
    assert outcome.message == "inspect.records: not here"
    assert [method for method, _ in plain.asked] == ["hello"]


def test_a_family_that_a_target_does_not_have_is_unsupported() -> None:
    assert verdict_of(Plain({"families": ["ec"]})).verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize("name", ["lite.no_such_operation", "no_such_need"])
def test_a_need_that_is_no_capability_is_our_own_fault(name: str) -> None:
    one = check("one", reading("mem_a"), needs=frozenset({name}))

    outcome = verdict_of(Plain(), one)

    assert outcome.verdict is Verdict.HARNESS_ERROR
    assert name in outcome.message


def test_a_broken_check_is_our_own_fault_with_its_traceback() -> None:
    def broken(_: Bench) -> None:
        raise KeyError("absent")

    report = run(target(Plain()), [check("broken", broken), check("one", reading("mem_a"))])

    assert [o.verdict for o in report.outcomes] == [Verdict.HARNESS_ERROR, Verdict.PASS]
    assert "in broken" in report.outcomes[0].message
    assert report.exit_code() == 3


def test_a_fail_that_passes_when_tried_again_is_unstable() -> None:
    bodies = iter(["wrong", "b"])
    plain = Plain(
        call=lambda _: {"result": {"status": "ok", "body": next(bodies)}, "text": ""},
    )

    outcome = verdict_of(plain)

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message.startswith("unstable: ")


def test_a_fail_is_tried_again_with_a_fresh_target() -> None:
    made: list[Plain] = []

    def factory() -> Plain:
        made.append(Plain())
        return made[-1]

    run(target(factory), [check("one", reading("mem_a", body="c"))])

    assert len(made) == 2


def test_a_target_that_hangs_is_left_alone_in_time() -> None:
    def hang(_: dict[str, Any]) -> dict[str, Any]:
        time.sleep(3)
        return {}

    began = time.monotonic()
    outcome = verdict_of(Plain(call=hang), limits=Limits(call=0.2))

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message == "no answer to call within 0.2 s"
    assert time.monotonic() - began < 2


def test_a_check_is_asked_only_under_the_readings_that_it_names() -> None:
    cold = check("cold", reading("mem_a"), readings={"archived-read": "cold_body"})
    gone = check("gone", reading("mem_a"), readings={"archived-read": "gone"})

    by_default = run(target(Plain()), [cold, gone])
    declared = run(target(Plain({"readings": {"archived-read": "cold_body"}})), [cold, gone])

    assert [o.check for o in by_default.outcomes] == [gone]
    assert by_default.outside == (cold,)
    assert [o.check for o in declared.outcomes] == [cold]


def test_a_bench_holds_the_rules_under_the_declared_readings() -> None:
    found: list[object] = []
    one = check("one", lambda bench: found.append(bench.rules.reading("lite", "archived-read")))

    verdict_of(Plain({"readings": {"archived-read": "cold_body"}}), one)

    assert found == ["cold_body"]


def test_neither_workers_nor_shuffling_change_a_verdict_or_the_order() -> None:
    bodies = ["b", "c"]
    checks = [check(f"c{n}", reading("mem_a", body=bodies[n % 3 == 0])) for n in range(12)]

    def judged(**options: Any) -> list[Outcome]:
        return comparable(run(target(Plain), checks, Options(seed=5, **options)))

    plainly = judged()

    assert {outcome.verdict for outcome in plainly} == {Verdict.PASS, Verdict.FAIL}
    assert judged(shuffle=True) == plainly
    assert judged(workers=3) == plainly
    assert judged(workers=2, shuffle=True) == plainly


def test_shuffling_changes_the_order_in_which_checks_run() -> None:
    checks = [check(f"c{n}", reading("mem_a")) for n in range(12)]
    ran: list[str] = []
    options = Options(shuffle=True, seed=1, progress=lambda outcome: ran.append(outcome.check.id))

    run(target(Plain()), checks, options)

    assert ran != [one.id for one in checks]
    assert sorted(ran) == sorted(one.id for one in checks)


def test_a_store_is_fresh_for_each_world_and_gone_afterwards(tmp_path: Path) -> None:
    seen: list[Path] = []

    def look(bench: Bench) -> None:
        for _ in range(2):
            bench.open({})
            seen.append(Path(bench.store()))
            assert list(seen[-1].iterdir()) == []
            (seen[-1] / "mark").touch()

    outcome = verdict_of(Plain(), check("one", look), store_root=tmp_path)

    assert outcome.verdict is Verdict.PASS
    assert len(set(seen)) == 2
    assert all(tmp_path in store.parents for store in seen)
    assert list(tmp_path.iterdir()) == []


def test_the_path_of_a_store_does_not_get_into_a_message(tmp_path: Path) -> None:
    def wrong(bench: Bench) -> None:
        bench.open({})
        raise Mismatch("$", "nowhere", bench.store())

    outcome = verdict_of(Plain(), check("one", wrong), store_root=tmp_path)

    assert outcome.verdict is Verdict.FAIL
    assert str(tmp_path) not in f"{outcome.message}{outcome.actual}"


def test_seeded_files_are_written_by_the_kit_and_not_sent() -> None:
    plain = Plain()

    def look(bench: Bench) -> None:
        bench.open({"seed": {"files": {"a/b": "aGk="}}})
        assert (Path(bench.store()) / "a" / "b").read_bytes() == b"hi"

    outcome = verdict_of(plain, check("one", look))

    assert outcome.verdict is Verdict.PASS
    assert "seed" not in dict(plain.asked)["open"]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", ""])
def test_a_seeded_file_outside_the_store_is_our_own_fault(name: str) -> None:
    one = check("one", opening({"seed": {"files": {name: ""}}}))

    assert verdict_of(Plain(), one).verdict is Verdict.HARNESS_ERROR


def test_a_handle_without_an_id_is_the_targets_fault() -> None:
    one = check("one", opening({"seed": {"records": {"a": {}}}}))

    outcome = verdict_of(Plain(), one)

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message == "open gives no id for a"


def test_a_long_answer_is_kept_in_part() -> None:
    one = check("one", reading("mem_a"))

    outcome = verdict_of(Plain(call=answering({"status": "ok", "body": "x" * 1_000_000})), one)

    assert outcome.verdict is Verdict.FAIL
    assert len(outcome.message) < 70_000
    assert len(outcome.actual) < 70_000


def property_check(holds: Callable[[int], None]) -> Check:
    """Return a check that tries many examples, each in a world of its own."""

    @hypothesis.settings(database=None, derandomize=True, deadline=None)
    @hypothesis.given(st.integers(0, 100))
    def all_hold(number: int) -> None:
        holds(number)

    return check("property", lambda _: all_hold())


def test_a_shrunk_failure_is_a_fail() -> None:
    def small(number: int) -> None:
        if number >= 10:
            raise Mismatch("$", "less than 10", number)

    outcome = verdict_of(Plain(), property_check(small))

    assert outcome.verdict is Verdict.FAIL
    assert outcome.actual == 10


def test_a_property_that_fails_only_once_is_unstable() -> None:
    tried: list[int] = []

    def once(number: int) -> None:
        tried.append(number)
        if len(tried) == 3:
            raise Mismatch("$", "always", number)

    outcome = verdict_of(Plain(), property_check(once), retry=False)

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message.startswith("unstable: ")


def test_a_target_that_dies_of_an_example_is_an_error() -> None:
    def die(params: dict[str, Any]) -> dict[str, Any]:
        if params["args"]["id"] == "mem_9":
            raise ValueError("boom")
        return {"result": {"status": "gone"}, "text": ""}

    @hypothesis.settings(database=None, derandomize=True, deadline=None)
    @hypothesis.given(number=st.integers(0, 9))
    def ask(bench: Bench, number: int) -> None:
        bench.open({})
        bench.door.call("call", {"op": "memory_read", "args": {"id": f"mem_{number}"}})

    outcome = verdict_of(Plain(call=die), check("property", lambda bench: ask(bench=bench)))

    assert outcome.verdict is Verdict.ERROR
    assert "raised ValueError: boom" in outcome.message


def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(bench: Bench) -> None:
        bench.open({})
        bench.spawn()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(
            "python:memrules_conformance.stubs:always_ok",
            [check("one", interrupt)],
            Options(store_root=tmp_path),
        )

    assert list(tmp_path.iterdir()) == []
    assert judging.left_behind() == []
