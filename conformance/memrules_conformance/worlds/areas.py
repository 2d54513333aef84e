"""The area of a report in which a table's checks stand."""

AREAS = {
    "condition": "conditions",
    "status_of": "conditions",
    "eligibility": "gate",
    "panel_visibility": "panel",
    "search_result": "search",
    "read_result": "read",
    "context_lifetime": "search",
    "request_admission": "search",
    "scope_routing": "routing",
    "save_result": "save",
    "save_arguments": "save",
    "similarity": "save",
    "similar_candidates": "save",
    "layer_capacity": "limits",
    "lock_holder": "locks",
    "lock_wait": "locks",
    "busy_text": "failures",
    "notice": "failures",
    "forget_result": "lifecycle",
    "undo_result": "lifecycle",
    "undo_history": "lifecycle",
    "inject_slot": "injection",
    "inject_trigger": "injection",
    "admission": "injection",
    "recall_deadline": "injection",
    "citation_group": "citations",
    "citation_open": "citations",
    "trial_validity": "gate",
    "trial_support": "learning",
    "active_support": "learning",
    "organizer_quota": "learning",
}


def area_of(table: str) -> str:
    """Return the area of a table such as ``lite/eligibility``."""
    name = table.partition("/")[2]
    return AREAS.get(name, name)
