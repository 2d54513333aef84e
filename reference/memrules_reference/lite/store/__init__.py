"""A store on disk: one folder a scope, written by transactions and read without a lock."""

from .reading import Reader
from .scopes import GLOBAL, Scope
from .state import State

__all__ = ["GLOBAL", "Reader", "Scope", "State"]
