"""Section 五: a condition against the context of the task, with three outcomes and no fourth."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .ruling import Ruling

KEYS = frozenset(
    {
        "targetOs", "shell", "runtime", "machine", "projectRoot",
        "pathPrefix", "artifactKey", "taskKind", "seriesId", "phase",
    }
)  # fmt: skip
ENVIRONMENT = ("machine", "targetOs", "runtime", "shell")  # LM-4.33
DEFAULTED = ("taskKind", "seriesId", "phase", "artifactKey")  # LM-2.17
_CASELESS = ("targetOs", "shell")


@dataclass(frozen=True, slots=True)
class Context:
    """The values that conditions are held against, the request's own before the routed ones.

    ``defaults`` fill a gap of the keys in DEFAULTED and of no other (LM-2.17).
    """

    own: Mapping[str, Any] = field(default_factory=dict)
    routed: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def value(self, key: str) -> tuple[Any, str]:
        """Return the value of a key and where it stands: own, routed, default or nowhere."""
        if key in self.own:
            return self.own[key], "own"
        if key in self.routed:
            return self.routed[key], "routed"
        if key in DEFAULTED and key in self.defaults:
            return self.defaults[key], "default"
        return None, "nowhere"


def status_of(record: Record, context: Context, ruling: Ruling) -> str:
    """Return ok, not_applicable or needs_context for a record in a context (LM-1.18)."""
    given = record.conditions or ()
    said = {condition_status(one, context, ruling) for one in given}
    conditions = {
        (True, True): "mismatch_and_unreadable",
        (True, False): "mismatch_only",
        (False, True): "unreadable_only",
        (False, False): "all_ok",
    }["not_applicable" in said, "needs_context" in said]
    known = ("all_in_scope", "conditional", "unresolved")
    applicability = record.applicability
    if applicability is None:
        applicability = "missing"
    elif applicability not in known:
        applicability = "unknown_value"
    outcome = ruling.decide(
        "status_of",
        applicability=applicability,
        count="one_or_more" if given else "zero",
        when_text="prose" if record.when else "empty",
        conditions=conditions,
    )
    return str(outcome["status"])


def condition_status(condition: Any, context: Context, ruling: Ruling) -> str:
    """Return the outcome of one condition; what has not the form of one is unregistered."""
    said = condition if isinstance(condition, dict) else {}
    key, wanted = said.get("key"), said.get("value")
    well_formed = is_wanted(wanted)
    actual, place = context.value(str(key))
    if place == "nowhere":
        seen = "not_there"
    elif not isinstance(actual, str):
        seen = "unreadable"
    elif any(_holds(str(key), one, actual) for one in listed(wanted) if isinstance(one, str)):
        seen = "readable_match"
    elif place == "default" and ruling.reading("defaults-may-fail-a-condition") == "hint_only":
        seen = "not_there"  # LM-2.17 under a hint that only fills the gap
    else:
        seen = "readable_mismatch"
    outcome = ruling.decide(
        "condition",
        key="registered" if key in KEYS else "unregistered",
        wanted="well_formed" if well_formed else "malformed",
        actual=seen,
    )
    return str(outcome["status"])


def listed(wanted: Any) -> list[Any]:
    """Return the wanted values: a list means any of them."""
    return wanted if isinstance(wanted, list) else [wanted]


def is_wanted(wanted: Any) -> bool:
    """Tell whether a condition's value can be compared: text, or a list of texts."""
    values = listed(wanted)
    return bool(values) and all(isinstance(one, str) and one for one in values)


def _holds(key: str, wanted: str, actual: str) -> bool:
    """Tell whether an actual value is what a condition wants."""
    if key == "pathPrefix":
        prefix, parts = _segments(wanted), _segments(actual)
        return parts[: len(prefix)] == prefix
    if key == "projectRoot":
        return _segments(wanted) == _segments(actual)
    if key in _CASELESS:
        return wanted.lower() == actual.lower()
    return wanted == actual


def _segments(path: str) -> tuple[str, ...]:
    """Return the segments of a path, whichever way its slashes lean."""
    return PurePosixPath(path.replace("\\", "/")).parts
