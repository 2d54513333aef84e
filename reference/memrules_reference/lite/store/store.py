"""A store: all scopes below one folder, read without a lock and written by transactions."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from .access import note_read, read_times, shorten
from .cold import ColdError, cold_file, load_cold, quarantined_file
from .commit import WriteFailedError, commit
from .drafts import Draft
from .files import Files
from .holders import read_holder
from .intents import finish, pending, sweep
from .lock import LOCK, BusyError, locked, may_take_over
from .reading import Reader

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable, Iterator, Mapping

    from memrules_reference.lite.clocks import Clock
    from memrules_reference.lite.points import Points
    from memrules_reference.lite.records import Record
    from memrules_spec import Rules

    from .scopes import Scope
    from .state import State


class Store:
    """The scopes below ``root``.

    Opening ends what a crash left half done.  ``files.events`` tells what the last transaction did.
    """

    def __init__(self, root: pathlib.Path, rules: Rules, clock: Clock, points: Points) -> None:
        self.root = root
        self.files = Files(root)
        self._rules = rules
        self._clock = clock
        self._points = points
        self._reader = Reader(root)
        self.busy_in_a_row: Counter[str] = Counter()
        self._recover()

    def scopes(self) -> list[Scope]:
        """Return every scope that was ever written, the global one first."""
        return list(self._reader.scopes())

    def read(self, scope: Scope) -> State:
        """Return what a scope holds now, no lock needed; see :meth:`Reader.read`."""
        return self._reader.read(scope)

    def body(self, scope: Scope, record: Record) -> str:
        """Return the body of a record, verified if it lies in cold storage; raises ColdError."""
        if record.body_at != "cold":
            return record.body or ""
        return load_cold(cold_file(self.root / scope.folder, record.id), record)

    def body_set_aside(self, scope: Scope, record: Record) -> str:
        """Return the body of a record also where its file was quarantined; raises ColdError."""
        try:
            return self.body(scope, record)
        except ColdError as first:
            try:
                return load_cold(quarantined_file(self.root / scope.folder, record.id), record)
            except ColdError as second:
                raise (second if first.code == "cold_missing" else first) from None

    def touch(self, scope: Scope, record_id: str, now: int) -> None:
        """Remember that a record was read at a time (ms, UTC); never fails."""
        note_read(self.files, self.root / scope.folder, record_id, now)

    def read_times(self, scope: Scope) -> Mapping[str, int]:
        """Return when each record was last read (ms, UTC), as far as it was ever touched."""
        return read_times(self.root / scope.folder)

    @contextmanager
    def transact(self, *scopes: Scope) -> Iterator[Draft]:
        """Hold the locks of scopes, give a draft of what they hold, and make it durable.

        The states are those on disk now that the locks are held (LM-4.60).  A draft without a
        change writes nothing.  Raises BusyError, or WriteFailedError with everything as before.
        """
        with self._locked({scope.folder for scope in scopes}):
            draft = Draft(self.root, {scope: self.read(scope) for scope in scopes})
            yield draft
            self._write(draft)

    def clear_leftovers(self, scopes: Iterable[Scope]) -> bool:
        """Remove drafts of writers that died in these scopes; return whether there were any.

        Raises BusyError or WriteFailedError.
        """
        folders = {scope.folder for scope in scopes}
        with self._locked(folders):
            removed = [sweep(self.files, self.root / folder) for folder in sorted(folders)]
            return any(removed)

    def _write(self, draft: Draft) -> None:
        states = {
            scope: replace(state, generation=state.generation + 1)
            for scope, state in draft.changed.items()
        }
        if not states:
            return
        if not all(state.writable for state in states.values()):
            raise WriteFailedError
        if draft.removes:
            for scope in states:
                sweep(self.files, self.root / scope.folder)
        contents = commit(self.files, self._points, draft, states)
        for scope, content in contents.items():
            self._reader.publish(scope, states[scope], content)
            shorten(self.files, self.root / scope.folder, states[scope].records)

    @contextmanager
    def _locked(self, folders: set[str]) -> Iterator[None]:
        """Hold the locks of scopes in a fixed order, with nothing left in them by a crash."""
        self.files.events.clear()
        while True:
            wanted = folders | _involved(self.root, folders)
            with ExitStack() as stack:
                try:
                    left = [self._enter(stack, self.root / folder) for folder in sorted(wanted)]
                    if not _involved(self.root, wanted) <= wanted:
                        continue  # another scope's writer died meanwhile
                    self._clear(wanted, left=any(left))
                except OSError as error:
                    raise WriteFailedError from error
                yield
                return

    def _enter(self, stack: ExitStack, folder: pathlib.Path) -> bool:
        self.files.make_folder(folder)
        try:
            left = stack.enter_context(locked(self.files, folder, self._rules, self._clock))
        except BusyError:
            self.busy_in_a_row[folder.name] += 1
            raise BusyError(self.busy_in_a_row[folder.name]) from None
        del self.busy_in_a_row[folder.name]
        return left

    def _clear(self, folders: Iterable[str], *, left: bool) -> None:
        """End the intents of locked scopes; where a writer died, remove its drafts."""
        for intent in pending(self.root):
            if set(intent.folders) <= set(folders):
                finish(self.files, intent)
                left = True
        if left:
            for folder in folders:
                sweep(self.files, self.root / folder)

    def _recover(self) -> None:
        """End what crashes left half done, but for scopes in which another is writing now."""
        left = {name for intent in pending(self.root) for name in intent.folders}
        for folder in sorted(path for path in self.root.iterdir() if path.is_dir()):
            free = read_holder(folder / LOCK) is None
            if may_take_over(folder, self._rules) or (free and folder.name in left):
                with suppress(BusyError, WriteFailedError), self._locked({folder.name}):
                    pass


def _involved(root: pathlib.Path, folders: Iterable[str]) -> set[str]:
    """Return the scopes that share an intent with any of the given ones."""
    wanted = set(folders)
    return {
        name for intent in pending(root) if wanted & set(intent.folders) for name in intent.folders
    }
