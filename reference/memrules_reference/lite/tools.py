"""The tools that the model is offered, and the five entry points."""

from __future__ import annotations

from typing import Any

from .conditions import KEYS

ENTRIES = ("auto_inject", "memory_search", "memory_read", "memory_save", "panel_routes")  # LM-0.3

_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
_REQUEST = {"contextId": _TEXT, "bindForRequest": _FLAG}


def tools(max_conditions: int) -> list[dict[str, Any]]:
    """Return name, description and parameters (JSON Schema) of each tool."""
    return [
        _tool(
            "memory_search",
            "Find memories by words. Search before you save.",
            {"query": _TEXT, "column": _TEXT, "taskKind": _TEXT, "seriesId": _TEXT, **_REQUEST},
            ["query"],
        ),
        _tool(
            "memory_read",
            "Read the current body of a memory by its id; view links lists its relations.",
            {"id": _TEXT, "view": {"enum": ["body", "links"]}, **_REQUEST},
            ["id"],
        ),
        _tool(
            "memory_save",
            "Save a memory. Call memory_search first; "  # LM-4.1
            "where one covers the matter, pass its id to update it instead of adding another. "
            "Fields that are left out keep their values; a field that is given replaces the old "
            "one whole. scope global means that the user asked for it in this conversation; "
            "never choose it because something seems general.",  # LM-4.29, LM-4.30
            {
                "id": _TEXT,
                **dict.fromkeys(("title", "summary", "when", "body", "topicKey", "kind"), _TEXT),
                "conditions": {
                    "type": "array",
                    "maxItems": max_conditions,
                    "items": {
                        "type": "object",
                        "properties": {"key": {"enum": sorted(KEYS)}, "value": {}},
                        "required": ["key", "value"],
                    },
                },
                "applicability": {"enum": ["all_in_scope", "conditional", "unresolved"]},
                "memoryClass": _TEXT,
                "evidenceRef": _TEXT,
                "scope": {"enum": ["project", "global"]},
                "resolution": {"enum": ["distinct"]},
            },
            [],
        ),
        _tool(
            "memory_forget",
            "Move a memory to the archive, from which a human can bring it back; purge deletes it "
            "for good.",
            {"id": _TEXT, "purge": _FLAG},
            ["id"],
        ),
    ]


def _tool(
    name: str, description: str, properties: dict[str, Any], required: list[str]
) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    return {"name": name, "description": description, "parameters": parameters}
