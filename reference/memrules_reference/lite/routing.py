"""Scope routing: the layer that a new record goes to; the model's scope is a proposal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .conditions import ENVIRONMENT
from .traces_local import has_local_trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .ruling import Ruling

_CLASSES = frozenset({"project_fact", "device_fact", "portable_procedure"})


@dataclass(frozen=True, slots=True)
class Route:
    """Where a record goes: ``project``, ``global`` or ``none``, and its scopeNote if it has one."""

    layer: str
    note: str | None


def route(ruling: Ruling, fields: Mapping[str, Any], requested: str | None) -> Route:
    """Return where a record with these fields (by wire key) goes when a scope is requested."""
    evidence = fields.get("evidenceRef") or ""
    keys = {condition["key"] for condition in fields.get("conditions") or ()}
    traced = has_local_trace(fields.get("body") or "") or has_local_trace(evidence)  # LM-4.37
    inputs = {
        "requested": requested or "none",
        "memory_class": _class_of(fields.get("memoryClass")),
        "env_condition": "no" if keys.isdisjoint(ENVIRONMENT) else "yes",  # LM-4.33
        "local_trace": "yes" if traced else "no",
        "evidence_ref": "yes" if evidence.strip() else "no",
    }
    outcome = ruling.decide("scope_routing", **inputs)
    noted = outcome["scopeNote"] != "absent"
    note = ruling.line("scope_notes", _cause(inputs)) if noted else None  # LM-4.45
    return Route(str(outcome["layer"]), note)


def _cause(inputs: Mapping[str, str]) -> str:
    """Return what kept a record out of the global layer, as its note says it (LM-4.46)."""
    if inputs["memory_class"] == "project_fact":
        return "project_fact"
    if inputs["memory_class"] == "device_fact":
        return "device_without_environment"
    if inputs["requested"] != "global" and inputs["evidence_ref"] == "no":
        return "no_evidence_no_environment"
    return "local_trace_without_environment"


def _class_of(memory_class: str | None) -> str:
    if not memory_class:
        return "unclassified"
    return memory_class if memory_class in _CLASSES else "other"
