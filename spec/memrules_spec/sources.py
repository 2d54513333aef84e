"""The files of a rules folder, read and held against their schemas, every fault kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import strict_yaml
from .faults import Fault
from .schemas import problems

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

FORMAT = 1


@dataclass
class Family:
    """The documents of one family, by the kind of file."""

    name: str
    single: dict[str, strict_yaml.Document] = field(default_factory=dict)
    clauses: list[strict_yaml.Document] = field(default_factory=list)
    tables: list[strict_yaml.Document] = field(default_factory=list)
    machines: list[strict_yaml.Document] = field(default_factory=list)

    def documents(self) -> Iterator[strict_yaml.Document]:
        """Yield every document of the family."""
        yield from self.single.values()
        yield from (*self.clauses, *self.tables, *self.machines)

    def entries(self, kind: str) -> list[dict[str, Any]]:
        """Return the list in a file of one kind: ``readings``, ``limits`` or ``vocabularies``."""
        found: list[dict[str, Any]] = self.single[kind].value[kind]
        return found


SINGLE = ("readings", "limits", "vocabularies", "messages")


def read_folder(folder: pathlib.Path) -> tuple[dict[str, Family], list[Fault]]:
    """Return the families below a rules folder, and the faults of form in any of their files."""
    families: dict[str, Family] = {}
    faults: list[Fault] = []
    homes = sorted(path.parent for path in folder.glob("*/readings.yaml"))
    if not homes:
        faults.append(Fault(str(folder), "holds no family: a folder with readings.yaml"))
    for home in homes:
        family = Family(home.name)
        for kind in SINGLE:
            family.single[kind] = _read(folder, home / f"{kind}.yaml", kind, faults)
        for kind, documents in (
            ("clauses", family.clauses),
            ("table", family.tables),
            ("machine", family.machines),
        ):
            where = home / (kind if kind == "clauses" else f"{kind}s")
            documents += [
                _read(folder, file, kind, faults) for file in sorted(where.glob("*.yaml"))
            ]
            if not documents:
                faults.append(Fault(f"spec/{home.name}/{where.name}", "holds no file"))
        families[home.name] = family
    return families, faults


def _read(
    folder: pathlib.Path, file: pathlib.Path, kind: str, faults: list[Fault]
) -> strict_yaml.Document:
    """Return the document in a file and add its faults of form."""
    name = f"spec/{file.relative_to(folder).as_posix()}"
    document = strict_yaml.read(file, name)
    if not document.faults:
        document.faults += [document.fault(path, text) for path, text in form(document.value, kind)]
    faults += document.faults
    return document


def form(value: Any, kind: str) -> list[tuple[tuple[str | int, ...], str]]:
    """Return what is wrong with the form of a file: a newer format first, by its number."""
    number = value.get("format") if isinstance(value, dict) else None
    if isinstance(number, int) and number > FORMAT:
        return [(("format",), f"format {number} is newer than {FORMAT}; take a newer memrules")]
    return problems(value, kind)
