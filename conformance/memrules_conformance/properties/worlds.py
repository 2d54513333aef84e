"""What properties draw: records, runtimes and worlds small enough to be read when they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memrules_conformance.worlds.seeds import BUDGET, NOW, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memrules_conformance.checks import Bench

WORDS = ("apple", "数据", "C++", "pre-edit", "部署", "GB/s", "don't")
KEYS = ("targetOs", "shell", "runtime", "machine", "artifactKey", "taskKind", "seriesId", "phase")
RUNTIME_KEYS = ("targetOs", "shell", "runtime", "machine")
VALUES = ("a", "b")
HANDLES = ("a", "b", "c", "d")

conditions = st.lists(
    st.builds(
        lambda key, value: {"key": key, "value": value},
        st.sampled_from(KEYS[:4]),
        st.sampled_from([*VALUES, ["a", "b"], ["b"]]),
    ),
    max_size=3,
)
readable = st.sampled_from(VALUES)
unreadable: st.SearchStrategy[Any] = st.sampled_from([None, 5, True, [], {}])
runtimes = st.dictionaries(st.sampled_from(KEYS[:4]), readable | unreadable, max_size=4)
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("界记é́\U0001f600"), max_size=40
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a record of any lifecycle, owner, review, applicability and conditions."""
    given = draw(conditions)
    layer = draw(st.sampled_from(["project", "global"]))
    fields: dict[str, Any] = {
        "layer": layer,
        "title": f"word{{n}} {draw(st.sampled_from(WORDS))}",
        "status": draw(st.sampled_from(["active", "active", "active", "archived"])),
        "conditions": given,
        "applicability": draw(
            st.sampled_from(
                ["conditional", "unresolved"] if given else ["all_in_scope", "unresolved"]
            )
        ),
    }
    if layer == "project":
        fields["ownerProjectId"] = draw(st.sampled_from(["p1", "p1", "p2"]))
    return record(**fields)


def stores(most: int = 4) -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    """Return a strategy for a few records under handles."""
    return st.dictionaries(st.sampled_from(HANDLES[:most]), records(), min_size=1)


def opened(
    bench: Bench,
    store: Mapping[str, Mapping[str, Any]],
    *,
    runtime: Mapping[str, Any] | None = None,
    budget: Mapping[str, int] | None = None,
    **world: Any,
) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Open a world with a store whose records have texts of their own; return ids and records.

    The texts of the record under ``a`` hold ``marka`` in title, summary, when and body.
    """
    own = {
        handle: {
            **{k: v for k, v in fields.items() if k != "title"},
            "title": str(fields["title"]).replace("{n}", "") + f" mark{handle}title",
            "summary": f"mark{handle}summary",
            "when": f"mark{handle}when",
            "body": f"mark{handle}body",
        }
        for handle, fields in store.items()
    }
    ids = bench.open(
        {
            "clock": {"mode": "manual", "now": NOW, "mono": 0},
            "project": {"id": "p1", "confirmed": True, "root": "/srv/p1"},
            "runtime": dict(runtime or {}),
            "budget": dict(budget or BUDGET),
            "seed": {"records": own},
            **world,
        }
    )
    return ids, own


def call(bench: Bench, op: str, **args: Any) -> dict[str, Any]:
    """Return the whole reply to one call: result and text."""
    reply: dict[str, Any] = bench.door.call("call", {"op": op, "args": args})
    return reply


def result(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a reply without the words for people."""
    return {key: value for key, value in reply["result"].items() if key != "message"}
