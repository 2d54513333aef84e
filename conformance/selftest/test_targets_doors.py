"""Every way to a target gives the same verdicts; a process can be stopped, killed and joined."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

import judging
from judging import Plain, check, reading, run, target
from memrules_conformance.checks import Bench, Mismatch, Reached, Verdict
from memrules_conformance.judge import Options
from memrules_conformance.targets import (
    CommandTarget,
    PythonTarget,
    StartError,
    UsageError,
    target_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memrules_conformance.checks import Check, Outcome

STOPPING = "python:stopping:make"
PIPED = f"stdio:{sys.executable} -m memrules_conformance.host stopping:make"
SAVE: dict[str, Any] = {"op": "memory_save", "args": {"body": "new"}}
READ: dict[str, Any] = {"op": "memory_read", "args": {"id": "mem_a"}}


@pytest.fixture(autouse=True)
def _with_the_scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PYTHONPATH", str(judging.HERE))
    yield
    assert judging.left_behind() == []


def body(bench: Bench) -> str:
    return str(bench.door.call("call", READ)["result"]["body"])


def demand(where: str, expected: object, actual: object) -> None:
    if expected != actual:
        raise Mismatch(where, expected, actual)


def stop(bench: Bench) -> int:
    """Open a world, begin a save and wait until it stops; return the number of its request."""
    bench.open({})
    bench.door.call("fault", {"stop_at": "save.before"})
    number = bench.door.begin("call", SAVE)
    demand("reached", Reached("save.before", 1), bench.door.outcome(number))
    return number


def resumed(bench: Bench) -> None:
    number = stop(bench)
    slots = bench.door.call("inspect", {"part": "slots"})["slots"]
    demand("while it waits", {"body": "nothing"}, slots)
    bench.door.call("resume", {})
    demand("its result", True, bench.door.outcome(number)["result"]["changed"])
    demand("afterwards", "new", body(bench))


def killed(bench: Bench) -> None:
    stop(bench)
    bench.kill()
    bench.reopen()
    demand("after the crash", "nothing", body(bench))
    bench.door.call("call", SAVE)
    demand("after the next save", "new", body(bench))


def joined(bench: Bench) -> None:
    bench.open({})
    other = bench.spawn()
    other.call("open", bench.keeping())
    other.call("call", SAVE)
    demand("what the other wrote", "new", body(bench))


def armed_in_vain(bench: Bench) -> None:
    bench.open({})
    bench.door.call("fault", {"stop_at": "never.there"})
    bench.door.call("call", SAVE)


def stopped_at_the_end(bench: Bench) -> None:
    stop(bench)


PROCESS = (
    check("resumed", resumed, needs=frozenset({"stop_at"})),
    check("killed", killed, kind="durability"),
    check("joined", joined, needs=frozenset({"spawn"})),
    check("plain", reading("mem_a", body="nothing")),
)


def verdicts(text: str, *checks: Check) -> list[Verdict]:
    return [outcome.verdict for outcome in run(text, checks).outcomes]


@pytest.mark.parametrize("text", [STOPPING, PIPED])
def test_an_operation_stops_goes_on_dies_and_is_joined(text: str) -> None:
    outcomes = run(text, PROCESS).outcomes

    assert [(o.verdict, o.message) for o in outcomes] == 4 * [(Verdict.PASS, "")]


@pytest.mark.parametrize("text", [STOPPING, PIPED])
def test_a_stop_that_never_came_is_an_error(text: str) -> None:
    one = check("armed", armed_in_vain, needs=frozenset({"stop_at"}))

    outcome = run(text, [one]).outcomes[0]

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message == "nothing ever stopped at never.there"


def test_an_operation_that_still_waits_when_its_check_ends_is_ended_with_it() -> None:
    checks = (check("waits", stopped_at_the_end, needs=frozenset({"stop_at"})), *PROCESS)

    assert verdicts(STOPPING, *checks) == 5 * [Verdict.PASS]


def test_a_kill_in_this_process_is_our_own_fault() -> None:
    def kill(bench: Bench) -> None:
        bench.open({})
        bench.kill()

    one = check("killed", kill)

    assert verdicts(STOPPING, one) == [Verdict.HARNESS_ERROR]


def test_a_factory_in_hand_cannot_be_hosted() -> None:
    one = check("joined", joined, needs=frozenset({"spawn"}))

    outcome: Outcome = run(target(Plain()), [one]).outcomes[0]

    assert outcome.verdict is Verdict.ERROR
    assert "has no process of its own" in outcome.message


def test_a_target_that_greets_differently_each_time_is_an_error() -> None:
    hellos = iter([{}, {"families": ["lite", "ec"]}, {"families": ["lite", "ec"]}])

    def die(_: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("boom")

    made = target(lambda: Plain(next(hellos), call=die))
    checks = [check("first", reading("mem_a")), check("second", reading("mem_a"))]

    outcome = run(made, checks).outcomes[1]

    assert outcome.verdict is Verdict.ERROR
    assert outcome.message == "plain says another hello each time it is started"


@pytest.mark.parametrize("name", ["always_ok", "always_gone", "always_empty"])
def test_in_process_hosted_and_piped_targets_get_the_same_verdicts(name: str) -> None:
    checks = [
        check("ok", reading("mem_a", body="")),
        check("body", reading("mem_a")),
        check("again", reading("mem_a", body="")),
    ]
    path = f"memrules_conformance.stubs:{name}"

    in_process = verdicts(f"python:{path}", *checks)
    piped = verdicts(f"stdio:{sys.executable} -m memrules_conformance.host {path}", *checks)
    hosted = [o.verdict for o in run(f"python:{path}", checks, Options(workers=2)).outcomes]

    assert in_process == piped == hosted


def test_what_a_hosted_target_prints_does_not_reach_the_protocol() -> None:
    text = f"stdio:{sys.executable} -m memrules_conformance.host misbehaving.chatty:make"

    assert verdicts(text, check("plain", reading("mem_a"))) == [Verdict.PASS]


def test_targets_are_named_by_kind() -> None:
    assert target_of("stdio:node 'my adapter.js'") == CommandTarget(
        "stdio:node 'my adapter.js'", ("node", "my adapter.js")
    )
    assert target_of("python:my_impl:make") == PythonTarget("python:my_impl:make", "my_impl:make")
    assert target_of("reference") == PythonTarget(
        "reference", "memrules_reference.adapter:make_target"
    )


def test_an_unknown_target_says_what_to_type() -> None:
    with pytest.raises(UsageError) as caught:
        target_of("my_impl")

    assert str(caught.value) == (
        "my_impl is not a target. Write it as python:MODULE:FACTORY, stdio:COMMAND, "
        "mcp:COMMAND or http:URL,\n"
        "for example: memrules check python:my_impl:make_target"
    )


@pytest.mark.parametrize(
    "text", ["", "python:", "python:m", "python::f", "python:m:", "stdio:", "stdio: ", "stdio:'a",
             "mcp:server", "http://localhost", "no such thing"],
)  # fmt: skip
def test_what_is_no_target_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        target_of(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("python:no_such_module:make", "there is no module no_such_module"),
        ("python:judging:no_such_factory", "judging has no factory no_such_factory"),
        ("python:judging:HELLO", "judging has no factory HELLO"),
        ("python:misbehaving.failing_import:make", "cannot be imported: ZeroDivisionError"),
    ],
)
def test_a_factory_that_is_not_there_is_refused_in_words(text: str, words: str) -> None:
    report = run(text, [check("one", reading("mem_a"))])

    assert words in report.refused
    assert report.exit_code() == 3


def test_an_import_error_inside_a_module_is_told_from_a_missing_module() -> None:
    report = run("python:misbehaving.missing_import:make", [check("one", reading("mem_a"))])

    assert (
        "misbehaving.missing_import cannot be imported: No module named 'not_installed'"
        in report.refused
    )


def test_a_factory_gets_the_rules_if_it_has_a_parameter_for_them() -> None:
    got: list[object] = []

    def first(whatever: object) -> Plain:
        got.append(whatever)
        return Plain()

    def named(*, colour: str = "red", rules: object) -> Plain:
        got.extend([colour, rules])
        return Plain()

    def without(colour: str = "red") -> Plain:
        got.append(colour)
        return Plain()

    for factory in (first, named, without):
        run(PythonTarget("t", factory=factory), [check("one", reading("mem_a"))])

    assert [getattr(each, "digest", each) is each for each in got] == [False, True, False, True]


def test_a_door_cannot_be_hosted_without_a_name() -> None:
    from memrules_conformance.targets import Asking  # noqa: PLC0415
    from memrules_spec import Rules  # noqa: PLC0415

    with pytest.raises(StartError):
        target(Plain()).open(Asking(Rules.load()), hosted=True)
