"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from memrules_conformance.checks import Outcome


class Progress:
    """Shows how many checks are done, and which was the last."""

    def __init__(self, stream: IO[str]) -> None:
        console = Console(file=stream, markup=False, highlight=False)
        self._bar = Bar(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=not stream.isatty(),
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, total: int) -> None:
        """Say how many checks there are."""
        self._bar.update(self._task, total=total)

    def advance(self, outcome: Outcome) -> None:
        """Count one check that is done."""
        self._bar.update(self._task, advance=1, description=outcome.check.id)
