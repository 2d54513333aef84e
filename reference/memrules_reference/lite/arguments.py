"""What memory_save makes of its arguments: the fields that they give, or what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .conditions import KEYS
from .records import fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import Record
    from .ruling import Ruling

TEXTS = ("title", "summary", "when", "body", "topicKey", "kind", "memoryClass", "evidenceRef")
FIELDS = (*TEXTS, "conditions", "applicability")
_APPLICABILITIES = ("all_in_scope", "conditional", "unresolved")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "scope": ("project", "global"),
    "resolution": ("distinct",),
}


@dataclass(frozen=True, slots=True)
class Request:
    """The fields of a record that a save gives, by wire key, and the input ``arguments``."""

    fields: Mapping[str, Any]
    arguments: str


def understand(ruling: Ruling, args: Mapping[str, Any], stored: Record | None) -> Request:
    """Return what a save says; ``stored`` is the record that it updates, if there is one."""
    given = {key: value for key, value in args.items() if value is not None}
    conditions = _conditions(ruling, given.get("conditions"))
    fields = {key: value for key, value in given.items() if key in FIELDS}
    if conditions is not None:
        fields["conditions"] = conditions
    fit = _settle_applicability(ruling, fields, stored)
    body = given.get("body")
    arguments = ruling.decide(
        "save_arguments",
        fields=_form(args, given),
        body_bytes=len(body.encode("utf-8", "surrogatepass")) if isinstance(body, str) else 0,
        conditions=len(conditions or ()),
        keys="registered" if all(map(_sound, conditions or ())) else "unregistered",
        applicability=fit,
    )["arguments"]
    return Request(fields, str(arguments))


def _form(args: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """Return whether each argument is known and has the type and the words that it may have."""
    texts = all(isinstance(given[key], str) for key in (*TEXTS, "applicability") if key in given)
    known = args.keys() <= {"id", *FIELDS, *_WORDS}
    words = all(given[key] in allowed for key, allowed in _WORDS.items() if key in given)
    listed = isinstance(given.get("conditions", ""), str | list)
    titled = str(given.get("title", "kept" if "id" in given else "")).strip() != ""
    if not (texts and known and words and listed and titled):
        return "malformed"
    return "sound" if len(given) == len(args) else "null"  # LM-4.13


def _conditions(ruling: Ruling, given: Any) -> list[Any] | None:
    """Return the conditions that are given, None where none are; free wording is one that is none.

    Where the rules say so, what is no condition is left out, and what is too many.
    """
    if given is None:
        return None
    listed = given if isinstance(given, list) else [given]
    if ruling.reading("bad-conditions-on-save") == "dropped":
        return list(filter(_sound, listed))[: ruling.rules.limit("lite", "max_conditions")]
    return listed


def _sound(condition: Any) -> bool:
    """Return whether a condition has a registered key and a value, or a list of values (LM-5.1)."""
    if not isinstance(condition, dict) or condition.keys() != {"key", "value"}:
        return False
    value = condition["value"]
    values = value if isinstance(value, list) else [value]
    worded = bool(values) and all(isinstance(one, str) and one != "" for one in values)
    return worded and isinstance(condition["key"], str) and condition["key"] in KEYS


def _settle_applicability(ruling: Ruling, fields: dict[str, Any], stored: Record | None) -> str:
    """Fill in the applicability that is not given (LM-5.25); return the input ``applicability``.

    An update keeps the stored one as long as it fits the conditions (LM-4.13).
    """
    before = {} if stored is None else fields_of(stored)
    if stored is not None and not fields.keys() & {"conditions", "applicability"}:
        return "fits"
    conditions = fields.get("conditions", before.get("conditions")) or []
    if "applicability" not in fields:
        kept = before.get("applicability")
        if kept is not None and _fit(kept, conditions) == "fits":
            return "fits"
        when = fields.get("when", before.get("when"))
        fields["applicability"] = _derived(ruling, conditions, when)
    return _fit(fields["applicability"], conditions)


def _fit(applicability: Any, conditions: list[Any]) -> str:
    """Return how an applicability fits the conditions."""
    if applicability not in _APPLICABILITIES:
        return "unknown"  # LM-5.8
    if applicability == "conditional" and not conditions:
        return "conditional_without_conditions"  # LM-5.10
    if applicability == "all_in_scope" and conditions:
        return "all_in_scope_with_conditions"
    return "fits"


def _derived(ruling: Ruling, conditions: list[Any], when: Any) -> str:
    if conditions:
        return ruling.reading("applicability-default")
    if when and ruling.reading("prose-when") == "unresolved":
        return "unresolved"
    return "all_in_scope"
