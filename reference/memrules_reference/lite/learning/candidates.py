"""candidateFrom: the pending rule that a user's words may become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_reference.lite.records import ACTIVE, EVOLUTION, REVIEWED, Record, record_of
from memrules_reference.lite.seeding import new_id

from .next_state import SUPPORTING
from .specs import Spec

if TYPE_CHECKING:
    from memrules_reference.lite.store import Scope

    from .notebook import Feedback

_TITLE_LENGTH = 80


def candidate_from(entry: Feedback, scope: Scope) -> Record | None:
    """Return the candidate that feedback gives rise to; None where it is about a rule already."""
    if entry.rule is not None or entry.kind not in SUPPORTING:
        return None
    first_line = entry.text.strip().partition("\n")[0]
    return new_rule(Spec(first_line[:_TITLE_LENGTH], "", entry.text), scope, entry.at)


def new_rule(spec: Spec, scope: Scope, now: int) -> Record:
    """Return a rule of a project that begins in pending (LM-7.11); ``now`` in ms UTC."""
    fields: dict[str, Any] = {
        **spec.fields(),
        "when": "",
        "kind": "note",
        "status": ACTIVE,
        "origin": EVOLUTION,
        "reviewState": REVIEWED,
        "ownerProjectId": scope.project,
        "relations": [],
        "bodyAt": "hot",
        "revision": 1,
        "createdAt": now,
        "updatedAt": now,
        "learning": {"state": "pending", "support": 0, "specDigest": spec.digest},
    }
    return record_of(fields, scope.layer, new_id())


def live_rule(record: Record | None) -> bool:
    """Tell whether there is a live rule of self-evolution."""
    return record is not None and record.experimental and not record.archived
