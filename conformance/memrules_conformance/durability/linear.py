"""Whether a history is linearizable: each operation at one moment of its own interval.

The search of Wing and Gong (1993), which remembers what it tried (Lowe, 2017): two ways
to place the same operations that end in the same state go on alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    Step = Callable[[Any, "Operation"], Hashable | None]


@dataclass(frozen=True, slots=True)
class Operation:
    """What one process asked and was told; ``began`` and ``ended`` are seconds of one clock."""

    process: int
    op: str
    value: str
    result: Mapping[str, Any]
    began: float
    ended: float

    def __str__(self) -> str:
        """Return it as a report shows it."""
        said = {key: self.result[key] for key in ("changed", "body") if key in self.result}
        return f"{self.process}: {self.op} {self.value} -> {said}".replace("  ", " ")


def stuck(history: Sequence[Operation], start: Hashable, step: Step) -> tuple[Operation, ...]:
    """Return the operations that the longest attempt could not place; none if it is linearizable.

    ``step`` gives the state after an operation, or None where its result does not fit the state.
    """
    everything = (1 << len(history)) - 1
    best = everything
    tried = {(everything, start)}
    waiting: list[tuple[int, Hashable]] = [(everything, start)]
    while waiting:
        left, state = waiting.pop()
        if left.bit_count() < best.bit_count():
            best = left
        if not left:
            return ()
        rest = [place for place in range(len(history)) if left >> place & 1]
        soonest = min(history[place].ended for place in rest)
        for place in rest:
            if history[place].began <= soonest:  # nothing that is left ended before it began
                after = step(state, history[place])
                found = (left & ~(1 << place), after)
                if after is not None and found not in tried:
                    tried.add(found)
                    waiting.append(found)
    return tuple(op for place, op in enumerate(history) if best >> place & 1)
