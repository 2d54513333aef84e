"""A case as an exported set has it: the messages to send, and what holds of each answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.bench import OF_THE_BEGINNING
from memrules_conformance.fixtures.cases import literal_ids, world_of
from memrules_conformance.fixtures.making import check_of
from memrules_conformance.fixtures.reading import names_for
from memrules_conformance.fixtures.steps import CLOCK, OF_A_MOMENT, OF_AN_ANSWER

from .holding import files_then, records_then
from .values import settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memrules_conformance.fixtures import Case
    from memrules_conformance.fixtures.values import Names
    from memrules_spec import Rules


def exported(case: Case, rules: Rules) -> dict[str, Any]:
    """Return a case with its defaults filled in and every value that a run cannot change."""
    names = names_for(rules, case.family, literal_ids(case.given))
    world = world_of(case.given, case.defaults, names)
    files = world.get("seed", {}).pop("files", {})
    if not world.get("seed", True):
        del world["seed"]
    check = check_of(case)
    then = {
        "records": records_then(case, world, names, files=bool(files)),
        "files": files_then(case, files, names),
    }
    found = {
        "id": case.check_id,
        "name": case.name,
        "clauses": [*case.clauses],
        "binding": case.binding,
        "level": check.level,
        "needs": sorted(check.needs),
        "twin": case.twin and f"{case.check_id.partition('#')[0]}#{case.twin}",
        "files": files,
        "open": {"family": case.family, **world},
        "steps": _Steps(case.family, world, names).of(case.steps),
        "then": {part: value for part, value in then.items() if value is not None},
    }
    return {key: value for key, value in found.items() if value or key == "steps"}


class _Steps:
    """Steps turned into messages, with the world in which the store would be opened again."""

    def __init__(self, family: str, world: Mapping[str, Any], names: Names) -> None:
        kept = {part: value for part, value in world.items() if part not in OF_THE_BEGINNING}
        self._again: dict[str, Any] = {"family": family, **kept, "keep": True}
        self._names = names

    def of(self, steps: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the exported steps."""
        return [self._step(step) for step in steps]

    def _step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        if "kill" in step:
            return {"kill": True}
        if "reopen" in step:
            return {"method": "open", "params": dict(self._again)}
        if "parallel" in step:
            again = dict(self._again)
            lanes = [self.of(lane) for lane in step["parallel"]]
            self._again = again
            return {"open": dict(again), "parallel": lanes}
        method, params = _message(step)
        params = settled(params, self._names)
        if method == "set":
            self._change(params)
        said = {key: settled(step[key], self._names) for key in OF_AN_ANSWER if key in step}
        return {"method": method, "params": params, **said}

    def _change(self, changes: Mapping[str, Any]) -> None:
        """Note what of a ``set`` lasts over an opening of the store."""
        clock = dict(self._again["clock"])
        clock |= {hand: changes[hand] for hand in CLOCK if hand in changes}
        if "advance_ms" in changes:
            clock |= {hand: clock[hand] + changes["advance_ms"] for hand in CLOCK}
        lasting = {key: value for key, value in changes.items() if key not in OF_A_MOMENT}
        self._again |= {**lasting, "clock": clock}


def _message(step: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the method and the params of the message that a step sends."""
    if "call" in step:
        said = {key: step[key] for key in ("as", "trace") if key in step}
        return "call", {"op": step["call"], "args": step.get("args", {}), **said}
    if "turn" in step:
        said = {key: step[key] for key in ("session", "humans", "phase") if key in step}
        return "turn", {"text": step["turn"], **said}
    if "inspect" in step:
        return "inspect", {"part": step["inspect"]}
    if "resume" in step:
        return "resume", {}
    method = "set" if "set" in step else "fault"
    return method, dict(step[method])
