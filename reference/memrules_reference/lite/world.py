"""One open world: its settings, its store, and the sessions that live in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .clocks import Clock
from .conditions import Context
from .gate import Runtime, eligibility, judged
from .ruling import Ruling
from .store import GLOBAL, Scope, Store

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator, Mapping

    from memrules_spec import Decision, Rules

    from .contexts import Issued
    from .learning.organizer import Organizer
    from .points import Points
    from .records import Record

_RUNTIME_KEYS = ("targetOs", "shell", "runtime", "machine")


@dataclass
class Ledger:
    """What a turn has used of the request-level budget and of the injection's (LM-1.26)."""

    reads: int = 0
    bytes: int = 0
    bodies: int = 0
    cards: int = 0
    injected_bytes: int = 0


@dataclass
class Session:
    """One conversation: its turn, and what was used, shown and announced in it.

    ``said`` is the query of the turn, ``last`` the last message with words of its own.
    """

    name: str
    turn: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    said: str = ""
    last: str = ""
    citations: list[dict[str, Any]] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    notices: dict[tuple[str, ...], list[dict[str, Any]]] = field(default_factory=dict)
    off_since_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A record and the scope that it lies in."""

    record: Record
    scope: Scope
    visible: bool


def readable(values: Any) -> Mapping[str, Any]:
    """Return values of the host by key; from what is no object nothing can be read."""
    return values if isinstance(values, dict) else {}


class World:
    """Settings of the host around one store; all but the store can change between operations."""

    def __init__(
        self, root: pathlib.Path, params: Mapping[str, Any], rules: Rules, points: Points
    ) -> None:
        clock = {"mode": "manual", "now": 1_700_000_000_000, "mono": 0, **params.get("clock", {})}
        self.clock = Clock(manual=clock["mode"] == "manual", now=clock["now"], mono=clock["mono"])
        self.ruling = Ruling(rules, params.get("lang", "zh"))
        self.points = points
        self.project: Mapping[str, Any] = {
            "id": "p1", "confirmed": True, "root": "/srv/p1", **params.get("project", {}),
        }  # fmt: skip
        self.runtime = readable(params.get("runtime"))
        self.context = readable(params.get("context"))
        self.defaults = readable(params.get("defaults"))
        given: Mapping[str, str] = params.get("switches", {})
        self._recall = given.get("recall", "adaptive")
        self._memory: dict[str | None, str] = {}
        self.switch_changes = 0
        self.cancelled = False
        self.registry: Mapping[str, Any] = params.get("registry", {})
        self.budget: dict[str, int] = {
            name: self.ruling.number(f"request-{name}") for name in ("reads", "bytes", "bodies")
        } | dict(params.get("budget", {}))
        self.script: dict[str, list[Any]] = {
            party: list(answers) for party, answers in params.get("script", {}).items()
        }
        self.organizer: Organizer | None = None
        self.handles: Mapping[str, str] = {}
        self._sessions: dict[str, Session] = {}
        self.issued: dict[str, Issued] = {}
        self._memory[self._switched_for] = given.get("memory", "on")
        self.store = Store(root, rules, self.clock, points)

    # The project and its layers.

    @property
    def rules(self) -> Rules:
        """The rules by which the world is judged."""
        return self.ruling.rules

    @property
    def lang(self) -> str:
        """The language of texts: zh or en."""
        return self.ruling.lang

    @property
    def switches(self) -> Mapping[str, str]:
        """The host's switches as they stand: memory of this project (LM-9.12), recall mode."""
        return {"memory": self._memory.get(self._switched_for, "on"), "recall": self._recall}

    @property
    def _switched_for(self) -> str | None:
        """The project whose switch counts: one switch a project, or one for the whole store."""
        per_project = self.ruling.reading("switch-extent") == "per_project"
        return self.project_id if per_project else None

    @property
    def memory_on(self) -> bool:
        """The switch, a setting of the host."""
        return self.switches["memory"] == "on"

    @property
    def project_id(self) -> str | None:
        """The id of the project, which gives an identity only while it is confirmed (LM-5.13)."""
        found = self.project.get("id")
        return found if isinstance(found, str) else None

    @property
    def confirmed(self) -> bool:
        """Whether the project's root is confirmed."""
        return self.project.get("confirmed") is True and self.project_id is not None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of the visible layers, the project's first (LM-2.8)."""
        return (GLOBAL,) if (own := self.project_scope) is None else (own, GLOBAL)

    @property
    def project_scope(self) -> Scope | None:
        """The scope of the project; None without a project-layer identity (LM-5.13)."""
        return Scope(self.project_id) if self.confirmed else None

    def scope(self, layer: str) -> Scope:
        """Return the scope of a layer that has one: the project's only while it is confirmed."""
        own = self.project_scope
        return own if layer == "project" and own is not None else GLOBAL

    def scope_of(self, record: Record) -> Scope:
        """Return the scope of a record of a visible layer."""
        return self.scope(record.layer)

    def visible(self) -> Iterator[Found]:
        """Yield every record of the visible layers."""
        for scope in self.scopes:
            for record in self.store.read(scope).records.values():
                yield Found(record, scope, visible=True)

    def find(self, record_id: str) -> Found | None:
        """Return the record with an id: in a visible layer, else wherever it lies."""
        for scope in self.scopes:
            record = self.store.read(scope).records.get(record_id)
            if record is not None:
                return Found(record, scope, visible=True)
        for scope in self.store.scopes():
            record = self.store.read(scope).records.get(record_id)
            if record is not None:
                return Found(record, scope, visible=False)
        return None

    # What a record is judged in.

    def routed(self, own: Mapping[str, Any] | None = None, *, purpose: str = "search") -> Context:
        """Return the context of a call: its own values before the routed ones (LM-3.2)."""
        values = {key: self.runtime[key] for key in _RUNTIME_KEYS if key in self.runtime}
        values |= self.context
        if self.confirmed and "root" in self.project:
            values["projectRoot"] = self.project["root"]
        shared = self.ruling.reading("defaults-used-by") == "all_entries"
        defaults = self.defaults if shared or purpose == "inject" else {}
        return Context(own or {}, values, defaults)

    def eligibility(self, record: Record | None, purpose: str) -> Decision:
        """Return what the gate says of a record for a purpose in the routed context, now."""
        runtime = self.judged_in(self.routed(purpose=purpose))
        return judged(record, runtime, purpose, self.clock.now(), self.ruling)

    def judge(
        self, record: Record | None, purpose: str, own: Mapping[str, Any] | None = None
    ) -> str:
        """Return what the gate says of a record for a purpose, now."""
        context = self.routed(own, purpose="inject" if purpose == "experiment" else purpose)
        return eligibility(record, self.judged_in(context), purpose, self.clock.now(), self.ruling)

    def judged_in(self, context: Context) -> Runtime:
        """Return the runtime argument of the gate."""
        experimental = self.runtime.get("experimental")
        project = self.project_id if self.confirmed else None
        return Runtime(project, self.confirmed, experimental, context)

    # Sessions and turns.

    def session(self, name: str) -> Session:
        """Return a session, which begins when it is first named."""
        return self._sessions.setdefault(name, Session(name))

    def begin_turn(self, session: Session) -> None:
        """Begin a human turn: budgets, notices and citations start afresh (LM-9.24)."""
        session.turn += 1
        session.ledger = Ledger()
        session.citations, session.reasons, session.notices = [], {}, {}

    def begin_request(self, session: Session) -> None:
        """Begin a model request: only what its tools may use starts afresh (LM-9.24)."""
        ledger = session.ledger
        ledger.reads = ledger.bytes = ledger.bodies = 0

    def set_switches(self, switches: Mapping[str, str]) -> None:
        """Set what the host's switches say: memory, and the recall mode."""
        if "recall" in switches:
            self._recall = switches["recall"]
        if "memory" in switches:
            self.switch(switches["memory"])

    def switch(self, memory: str) -> None:
        """Turn memory on or off: a setting of the host, nothing stored changes (LM-8.1)."""
        if memory != self.switches["memory"]:
            self.switch_changes += 1
            self._memory[self._switched_for] = memory
            off = memory == "off"
            for session in self._sessions.values():
                session.off_since_turn = session.turn if off else None

    def switched(self, session: Session) -> str:
        """Return whether memory is on or off for a tool call of a session (LM-8.27)."""
        if self.switches["memory"] == "on":
            return "on"
        mid_turn = session.off_since_turn == session.turn and session.off_since_turn is not None
        if mid_turn and self.ruling.reading("switch-off-mid-turn") == "next_turn":
            return "on"
        return "off"
