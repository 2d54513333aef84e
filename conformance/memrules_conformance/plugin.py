"""The suite as items of pytest: ``pytest -p memrules_conformance.plugin --memrules-target TARGET``.

One item a check, below a collector of its own; nothing is collected unless a target is named.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from memrules_spec import Rules, SpecError

from .checks import LEVELS, Outcome, Verdict
from .judge import Options, Session
from .replay import Replay
from .reports.text import tell
from .selection import NothingSelectedError, Selection
from .suite import suite
from .targets import StartError, UsageError, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .checks import Check

SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name a target and select checks."""
    group = parser.getgroup("memrules", "the rules of agent memory")
    group.addoption("--memrules-target", metavar="TARGET", help="as for memrules check")
    group.addoption("--memrules-level", choices=LEVELS, help="how much is asked")
    for name in ("area", "clause", "fixture"):
        group.addoption(f"--memrules-{name}", action="append", default=[], metavar="NAME")
    group.addoption("--memrules-seed", type=int, default=0, help="of what is drawn")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add an item for each selected check if a target is named; they come first."""
    if config.getoption("--memrules-target") is None:
        return
    collector = Suite.from_parent(session, name="memrules", nodeid="memrules")
    items[:0] = list(collector.collect())


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the target."""
    if (judging := config.stash.get(SESSION, None)) is not None:
        judging.close()


class Suite(pytest.Collector):
    """The checks of the suite that hold under the readings of a target."""

    def collect(self) -> Iterator[CheckItem]:
        """Start the target and yield an item for each selected check."""
        option = self.config.getoption
        selection = Selection(
            areas=tuple(option("--memrules-area")),
            clauses=tuple(option("--memrules-clause")),
            fixtures=tuple(option("--memrules-fixture")),
            level=option("--memrules-level"),
        )
        try:
            options = Options(
                rules=Rules.load(),
                seed=option("--memrules-seed"),
                most_worlds=selection.most_worlds,
            )
            judging = Session(target_of(option("--memrules-target")), options)
            self.config.stash[SESSION] = judging
            inside, _ = judging.split(
                selection.of(suite(judging.rules, quick=selection.level == "quick"))
            )
        except (UsageError, StartError, SpecError, NothingSelectedError) as error:
            raise pytest.UsageError(str(error)) from error
        for check in inside:
            yield CheckItem.from_parent(self, name=check.id, check=check)


class CheckItem(pytest.Item):
    """One check."""

    def __init__(self, *, check: Check, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.check = check

    def runtest(self) -> None:
        """Judge the check; what the target does not support is skipped with the reason."""
        outcome = self.config.stash[SESSION].judge(self.check)
        if outcome.verdict is Verdict.UNSUPPORTED:
            pytest.skip(f"unsupported: {outcome.message}")
        if outcome.verdict is not Verdict.PASS:
            raise NotPassedError(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the report says of a check that did not pass."""
        if not isinstance(excinfo.value, NotPassedError):
            return super().repr_failure(excinfo, style)
        judging = self.config.stash[SESSION]
        replay = Replay(
            self.config.getoption("--memrules-target"), self.config.getoption("--memrules-seed")
        )
        stream = io.StringIO()
        tell(judging.rules, replay, excinfo.value.outcome, stream)
        return stream.getvalue()

    def reportinfo(self) -> tuple[str, None, str]:
        """Return what stands for the check where pytest lists items."""
        return "memrules", None, self.check.id


class NotPassedError(Exception):
    """A check that got another verdict than pass."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome
