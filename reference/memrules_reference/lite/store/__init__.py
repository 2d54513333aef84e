"""A store on disk: one folder a scope, written by transactions and read without a lock."""

from .cold import ColdError
from .commit import WriteFailedError
from .drafts import Draft
from .lock import BusyError
from .scopes import GLOBAL, Scope
from .state import State
from .store import Store

__all__ = [
    "GLOBAL",
    "BusyError",
    "ColdError",
    "Draft",
    "Scope",
    "State",
    "Store",
    "WriteFailedError",
]
