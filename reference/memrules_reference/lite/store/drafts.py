"""What a transaction is to change, said before anything is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memrules_reference.lite.records import Cold

from .cold import cold_file, digest_of, encode_cold, quarantined_file

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

    from memrules_reference.lite.records import Record

    from .scopes import Scope
    from .state import State


class Draft:
    """The states of locked scopes, to be changed, and files beside them to write and remove.

    Files are written before the states take their place, so that no body is ever without one
    (LM-10.6), and removed after it.
    """

    def __init__(self, root: pathlib.Path, states: Mapping[Scope, State]) -> None:
        self._root = root
        self._before = dict(states)
        self._states = dict(states)
        self.writes: dict[pathlib.Path, bytes] = {}
        self.removes: set[pathlib.Path] = set()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The locked scopes."""
        return tuple(self._states)

    def state(self, scope: Scope) -> State:
        """Return a scope's state as it is to be."""
        return self._states[scope]

    def replace(self, scope: Scope, state: State) -> None:
        """Give a scope another state."""
        self._states[scope] = state

    def put(self, scope: Scope, record: Record) -> None:
        """Put a record into a scope."""
        placed = replace(record, layer=scope.layer)
        self._states[scope] = self._states[scope].with_records(placed)

    def take_out(self, scope: Scope, record_id: str) -> None:
        """Take a record out of a scope, with the pick of it."""
        self._states[scope] = self._states[scope].without(record_id)

    def cool(self, scope: Scope, record: Record, body: str) -> Record:
        """Return a record whose body lies in cold storage, and plan the file that holds it."""
        cold = Cold(digest_of(body), record.current_revision)
        path = cold_file(self._root / scope.folder, record.id)
        self.writes[path] = encode_cold(record.id, body, cold)
        self.removes.discard(path)
        return replace(record, body=None, body_at="cold", cold=cold)

    def warm(self, scope: Scope, record: Record, body: str) -> Record:
        """Return a record whose body is in the state again, and plan the removal of its files."""
        self.remove_copies(scope, record.id)
        return replace(record, body=body, body_at="hot", cold=None)

    def remove_copies(self, scope: Scope, record_id: str) -> None:
        """Plan the removal of the cold and the quarantined file of a record."""
        folder = self._root / scope.folder
        for path in (cold_file(folder, record_id), quarantined_file(folder, record_id)):
            if path.exists():
                self.removes.add(path)

    def quarantine(self, scope: Scope, record_id: str) -> None:
        """Plan that a cold file is set aside as it is."""
        folder = self._root / scope.folder
        path = cold_file(folder, record_id)
        self.writes[quarantined_file(folder, record_id)] = path.read_bytes()
        self.removes.add(path)

    def forget_changes(self) -> None:
        """Make the draft what it was: nothing will be written."""
        self._states = dict(self._before)
        self.writes.clear()
        self.removes.clear()

    @property
    def changed(self) -> dict[Scope, State]:
        """The scopes whose content is another than before, in the order in which they were given.

        A scope with files to write or remove counts.
        """
        touched = [*self.writes, *self.removes]
        return {
            scope: state
            for scope, state in self._states.items()
            if state is not self._before[scope]
            or any(path.is_relative_to(self._root / scope.folder) for path in touched)
        }
