"""The rules as data: load, check, prove, decide, explain."""

from .clauses import Clause
from .faults import Fault, SpecError
from .folders import data_folder, fixtures_folder
from .readings import Reading
from .rules import Message, Rules
from .tables import Decision, InputsError, Table

__all__ = [
    "Clause",
    "Decision",
    "Fault",
    "InputsError",
    "Message",
    "Reading",
    "Rules",
    "SpecError",
    "Table",
    "data_folder",
    "fixtures_folder",
]
