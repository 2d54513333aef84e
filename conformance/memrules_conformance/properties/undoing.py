"""Properties of undo: how many changes of a record are kept to be taken back."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from memrules_conformance.checks import Bench, Mismatch
from memrules_conformance.worlds.cells import call
from memrules_conformance.worlds.seeds import NOW, record

from .asking import Property

MOST = 20
"""Changes that are made at most: a target that keeps more is asked for these."""

NEEDS = frozenset({"lite.panel_undo", "seed.records", "set.clock"})


class _UndoReachesAsDeclared(Property):
    """As many changes as are declared can be undone, one after the other, and no more."""

    clauses = ("LM-4.16", "LM-8.14")
    binding = "reading"
    area = "lifecycle"
    count = 3

    def examples(self) -> st.SearchStrategy[Any]:
        """Draw how many changes there are beyond the declared number."""
        return st.integers(min_value=-1, max_value=1)

    def holds(self, bench: Bench, example: Any) -> None:
        """Change a record that often, and undo until nothing is left to undo."""
        depth = int(bench.rules.reading("lite", "undo-depth"))
        changes = min(MOST, depth + int(example))
        seed = {"records": {"a": record(layer="project", ownerProjectId="p1", title="t")}}
        ids = bench.open({"clock": {"mode": "manual", "now": NOW, "mono": 0}, "seed": seed})
        revision = 1
        for number in range(changes):
            said = self.change(bench, ids["a"], number)
            if said.get("changed") is not True:
                raise Mismatch(f"change {number + 1}", "changed: true", said)
            revision = said["revision"]
        undone = 0
        while undone <= changes:
            said = call(bench, "panel_undo", id=ids["a"], revision=revision)
            if said["changed"] is not True:
                break
            undone, revision = undone + 1, said["revision"]
        if undone != min(changes, depth):
            raise Mismatch(f"{changes} changes", f"{min(changes, depth)} of them undone", undone)

    def change(self, bench: Bench, id_: str, number: int) -> dict[str, Any]:
        """Return the answer of the change with a number, counted from 0."""
        raise NotImplementedError


class UpdatesAreUndoneAsDeep(_UndoReachesAsDeclared):
    """As many updates as are declared can be undone, one after the other, and no more."""

    needs = NEEDS | {"lite.memory_save"}

    def change(self, bench: Bench, id_: str, number: int) -> dict[str, Any]:
        """Replace the body."""
        return call(bench, "memory_save", id=id_, body=f"body {number}")


class MovesAreUndoneAsDeep(_UndoReachesAsDeclared):
    """As many moves as are declared can be undone, one after the other, and no more."""

    needs = NEEDS | {"lite.panel_move"}

    def change(self, bench: Bench, id_: str, number: int) -> dict[str, Any]:
        """Move the record to the other layer."""
        return call(bench, "panel_move", id=id_, to="project" if number % 2 else "global")


RULES = (UpdatesAreUndoneAsDeep(), MovesAreUndoneAsDeep())
