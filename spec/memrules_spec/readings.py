"""Readings: the questions that a document leaves open, as parameters with a default."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .faults import Path

READING = "reading."
"""What the name of a reading begins with among the conditions of a row or a guard."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question; ``kind`` is choice (options), number (least to most) or text."""

    key: str
    kind: str
    question: str
    default: str | int
    why: str
    clauses: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    least: int | None = None
    most: int | None = None

    def refuse(self, value: object) -> str | None:
        """Return why a value cannot be chosen, or None if it can."""
        if self.kind == "choice" and value not in self.options:
            return f"{value!r} is not {either(list(self.options))}"
        if self.kind == "number":
            if not isinstance(value, int) or isinstance(value, bool):
                return f"{value!r} is not a whole number"
            if not (self.least or 0) <= value <= (self.most if self.most is not None else value):
                return f"{value} is not between {self.least} and {self.most}"
        if self.kind == "text" and not isinstance(value, str):
            return f"{value!r} is not text"
        return None


def reading_of(entry: Mapping[str, Any]) -> Reading:
    """Return the reading that a valid entry of ``readings.yaml`` describes."""
    return Reading(
        key=entry["key"],
        kind=entry["kind"],
        question=entry["question"],
        default=entry["default"],
        why=entry["why"],
        clauses=tuple(entry.get("clauses", ())),
        options=entry.get("options", {}),
        least=entry.get("least"),
        most=entry.get("most"),
    )


def resolve(value: Any, chosen: Mapping[str, str | int]) -> Any:
    """Return what ``by_reading`` says under the chosen options; other values as they are."""
    if isinstance(value, dict) and "by_reading" in value:
        option = chosen[value["by_reading"]]
        return value["of"][option] if "of" in value else option
    return value


def by_reading(value: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield every ``by_reading`` inside a value with its path."""
    if isinstance(value, dict):
        if "by_reading" in value:
            yield path, value
        for key, inner in value.items():
            yield from by_reading(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from by_reading(inner, (*path, place))


def readings_of(value: Any) -> set[str]:
    """Return the keys of the readings on which anything inside a table or a machine hangs."""
    found: set[str] = set()
    if isinstance(value, dict):
        found |= {value[name] for name in ("by_reading", "$reading") if name in value}
        found |= {name.removeprefix(READING) for name in value if name.startswith(READING)}
        value = list(value.values())
    if isinstance(value, list):
        found = found.union(*map(readings_of, value))
    return found


def reading_faults(value: Any, known: Mapping[str, Reading]) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with the readings that a row or a cell hangs on."""
    for path, use in by_reading(value):
        key = use["by_reading"]
        reading = known.get(key)
        if reading is None or reading.kind != "choice":
            yield (*path, "by_reading"), f"{key!r} is no choice reading of readings.yaml"
        elif "of" in use and set(use["of"]) != set(reading.options):
            yield (
                (*path, "of"),
                f"names {either([*use['of']])}, but {key} has {either([*reading.options])}",
            )


def either(names: list[str]) -> str:
    """Return names as people list them: ``a, b or c``."""
    if len(names) < 2:  # noqa: PLR2004 one name needs no joining word
        return "".join(names) or "nothing"
    return f"{', '.join(names[:-1])} or {names[-1]}"
