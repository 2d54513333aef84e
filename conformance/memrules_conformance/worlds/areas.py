"""The area of a report in which a table's checks stand."""

AREAS = {
    "condition": "conditions",
    "status_of": "conditions",
    "eligibility": "gate",
    "panel_visibility": "panel",
    "search_result": "search",
    "read_result": "read",
    "request_admission": "search",
    "scope_routing": "routing",
    "save_result": "save",
    "save_arguments": "save",
    "layer_capacity": "limits",
    "forget_result": "lifecycle",
    "undo_result": "lifecycle",
    "inject_slot": "injection",
    "inject_trigger": "injection",
    "admission": "injection",
    "citation_group": "citations",
    "citation_open": "citations",
}


def area_of(table: str) -> str:
    """Return the area of a table such as ``lite/eligibility``."""
    name = table.partition("/")[2]
    return AREAS.get(name, name)
