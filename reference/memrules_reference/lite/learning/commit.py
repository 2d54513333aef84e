"""commitLearning and admitChange: what of an output still holds comes into the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memrules_reference.lite.limits import Load

from .candidates import live_rule, new_rule
from .next_state import SUPPORTING, next_learning_state
from .notebook import Notebook
from .specs import Spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memrules_reference.lite.records import Record
    from memrules_reference.lite.store import Draft, Scope
    from memrules_reference.lite.world import World

    from .parsing import Change
    from .runs import Run


@dataclass(frozen=True, slots=True)
class Committed:
    """How many changes came into the rules, and how many were out of date."""

    applied: int
    stale: int


def commit_learning(
    world: World, draft: Draft, scope: Scope, run: Run, changes: Sequence[Change]
) -> Committed:
    """Put into a draft what of the changes is not out of date, and say how many are what."""
    fresh = [change for change in changes if _fresh(draft, scope, run, change)]
    stale = len(changes) - len(fresh)
    if stale and world.ruling.reading("stale-result-unit") == "whole_result":
        fresh = []  # LM-7.17
    applied = sum(admit_change(world, draft, scope, run, change) for change in fresh)
    return Committed(applied, stale)


def _fresh(draft: Draft, scope: Scope, run: Run, change: Change) -> bool:
    """Tell whether what a change rests on is as it was, and as the change says (LM-7.16)."""
    state = draft.state(scope)
    now = Notebook.of(state).feedback
    if any(now[key].revision != said for key, said in change.revisions.items()):
        return False  # LM-7.17
    if change.rule is None:
        return True
    rule = state.records.get(change.rule)
    if rule is None or not live_rule(rule):
        return False
    if Spec.of(rule).digest != Spec.of(run.rules[change.rule]).digest:
        return False
    return all(
        run.book.feedback.get(key) == entry
        for key, entry in now.items()
        if change.rule in (entry.rule, entry.candidate)
    )


def admit_change(world: World, draft: Draft, scope: Scope, run: Run, change: Change) -> bool:
    """Put one change into a draft; return whether it changed anything."""
    state = draft.state(scope)
    rule = None if change.rule is None else state.records.get(change.rule)
    if rule is None and change.rule is not None:
        return False  # an earlier change of this output took it in
    adopted = rule or _adopted(draft, scope, run, change)
    before = adopted or new_rule(change.spec, scope, run.at)
    if rule is None or Spec.of(rule).digest != change.spec.digest:
        changed, used = _rewritten(world, before, change, run), set(change.evidence)
    else:
        changed, used = _moved(world, before, change, run)
    if changed == before and not used:
        return False  # LM-7.15
    if before.id in state.records:
        revision = before.current_revision + 1
        changed = replace(changed, revision=revision, updated_at=run.at, undo=())
    if Load(world.ruling, {**state.records, changed.id: changed}.values()).over:
        return False  # LM-4.49, LM-4.51
    draft.put(scope, changed)
    _merge(draft, scope, run, used, changed.id)
    draft.replace(scope, Notebook.of(state).used(used).put_into(draft.state(scope)))
    return True


def _adopted(draft: Draft, scope: Scope, run: Run, change: Change) -> Record | None:
    """Return the first candidate among the evidence, which becomes the rule that is added."""
    candidates = (_candidate(draft, scope, run, key) for key in change.evidence)
    return next((found for found in candidates if found is not None), None)


def _rewritten(world: World, rule: Record, change: Change, run: Run) -> Record:
    """Return a rule with another specification: support for the former one does not count on."""
    said = next_learning_state(world.ruling, rule.learning or {}, "changed_spec_digest", run.at)
    if said["state"] == "pending":
        said["support"] = sum(run.feedback[key].kind in SUPPORTING for key in change.evidence)
    said |= {"specDigest": change.spec.digest, "feedbackRevisions": dict(change.revisions)}
    fields = change.spec.fields()
    fields["conditions"] = tuple(fields["conditions"])
    return replace(rule, **fields, learning=said)


def _moved(world: World, rule: Record, change: Change, run: Run) -> tuple[Record, set[str]]:
    """Return a rule after the events of its evidence, and which evidence that used.

    Where the state moves, later evidence waits for the next run: no step is skipped (LM-7.12).
    """
    learning = dict(rule.learning or {})
    used: set[str] = set()
    for key in change.evidence:
        entry = run.feedback[key]
        if entry.rule not in (None, rule.id):
            continue
        state = learning.get("state")
        if entry.kind != "user_correction":  # which acted when it came
            learning = next_learning_state(world.ruling, learning, entry.kind, run.at)
        used.add(key)
        if learning.get("state") != state:
            break
    if used:
        learning |= {"specDigest": change.spec.digest, "feedbackRevisions": dict(change.revisions)}
    return replace(rule, learning=learning), used


def _merge(draft: Draft, scope: Scope, run: Run, used: set[str], into: str) -> None:
    """Take out the candidates whose words went into a rule."""
    for key in used:
        candidate = _candidate(draft, scope, run, key)
        if candidate is not None and candidate.id != into:
            draft.take_out(scope, candidate.id)


def _candidate(draft: Draft, scope: Scope, run: Run, key: str) -> Record | None:
    """Return the candidate that feedback gave rise to, as long as no change made it a rule."""
    found = draft.state(scope).records.get(run.feedback[key].candidate or "")
    if found is None or "feedbackRevisions" in (found.learning or {}):
        return None
    return found
