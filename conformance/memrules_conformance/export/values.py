"""Values of a fixture with everything worked out that does not depend on a target's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memrules_conformance.fixtures.matching import SEARCH_SENTENCES
from memrules_conformance.fixtures.values import form_of, resolve

if TYPE_CHECKING:
    from memrules_conformance.fixtures.values import Names

OPEN = ("$id", "$ref", "$bytes_of")
"""Forms that only a run can fill in: ids are the target's, and answers are kept by name."""

COMPUTED = ("$reading", "$repeat", "$join", "$sum", "$less")


def settled(value: Any, names: Names) -> Any:
    """Return a value in which only ``$id``, ``$ref``, what is joined of them and matchers stay.

    A ``$sentence`` says its words itself: those that are held, and those that are not.
    """
    form = form_of(value)
    if form in OPEN:
        return value
    if form in COMPUTED:
        return _computed(form, value[form], names)
    if form == "$sentence":
        return {"$sentence": _sentence(value[form], names)}
    if isinstance(value, dict):
        return {key: settled(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [settled(inner, names) for inner in value]
    return value


def _computed(form: str, argument: Any, names: Names) -> Any:
    """Return what a form stands for, or a shorter form if a part of it is open."""
    if form == "$reading":
        return names.reading(argument)
    parts = [settled(part, names) for part in argument]
    if not any(form_of(part) for part in parts):
        return resolve({form: parts}, names)
    return {form: parts}


def _sentence(name: str, names: Names) -> dict[str, Any]:
    """Return the words of a message that says one sentence of a search and none of the others."""
    others = [other for other in SEARCH_SENTENCES if other != name]
    return {"holds": names.phrase(name), "lacks": [names.phrase(other) for other in others]}
