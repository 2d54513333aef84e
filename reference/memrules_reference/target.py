"""The reference as a target: one method a verb of the protocol, on plain values."""

from __future__ import annotations

import base64
import pathlib
from typing import TYPE_CHECKING, Any

from memrules_spec import InputsError, Rules, SpecError
from memrules_spec.schemas import validate

from .lite import citations, contexts, notices, seeding
from .lite.injection import turn
from .lite.learning import receipts
from .lite.operations import OPERATIONS
from .lite.points import NAMES, Points
from .lite.store import GLOBAL
from .lite.store.cold import cold_file
from .lite.store.planted import plant_lock
from .lite.world import World, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .lite.store.files import Event


VERSION = "0.1.0"
PROTOCOL = 1
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
UNSUPPORTED = -32001
CANNOT_BUILD = -32002
_SETTINGS = ("runtime", "context", "defaults", "registry")


class RpcError(Exception):
    """An answer of the protocol that is an error: ``code`` and ``data`` as it defines them."""

    def __init__(self, code: int, message: str, **data: Any) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Target:
    """The lite rules behind the verbs; ``pause`` is called where an operation is to stop."""

    def __init__(self, rules: Rules) -> None:
        self._defaults = rules
        self.rules = rules
        self.points = Points()
        self._world: World | None = None
        self._ids: dict[str, str] = {}
        self._verbs: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            name: getattr(self, f"_{name}")
            for name in (
                "hello", "open", "turn", "call", "set", "fault", "inspect", "decide", "close",
            )
        }  # fmt: skip

    @property
    def pause(self) -> Callable[[str, int], None] | None:
        """What is called at a stop_at point; it returns when the operation may go on."""
        return self.points.pause

    @pause.setter
    def pause(self, wait: Callable[[str, int], None] | None) -> None:
        self.points.pause = wait

    def handle(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a verb; raise RpcError."""
        if method not in self._verbs:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {method}")
        if faults := validate(params, f"protocol/{method}#/$defs/params"):
            raise RpcError(INVALID_PARAMS, f"{method}: {'; '.join(faults)}")
        return self._verbs[method](params)

    @property
    def world(self) -> World:
        """The world that is open."""
        if self._world is None:
            raise RpcError(INVALID_REQUEST, "no world is open: call open first")
        return self._world

    def _hello(self, params: Mapping[str, Any]) -> dict[str, Any]:
        try:
            self.rules = self._defaults.with_readings(params.get("readings", {}))
        except SpecError:
            self.rules = self._defaults  # what it does not know it does not adopt
        return {
            "name": "memrules-reference",
            "version": VERSION,
            "language": "python",
            "protocol": PROTOCOL,
            "families": ["lite"],
            "unsupported": [],
            "readings": {
                key: self.rules.reading("lite", key)
                for key, reading in self.rules.readings["lite"].items()
                if self.rules.reading("lite", key) != reading.default
            },
            "points": list(NAMES),
            "spec_digest": self.rules.digest,
        }

    def _open(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if params["family"] != "lite":
            raise RpcError(UNSUPPORTED, "another family", capability=str(params["family"]))
        self.points.disarm()
        root = pathlib.Path(params["store"])
        root.mkdir(parents=True, exist_ok=True)
        self._world = World(root, params, self.rules, self.points)
        if not params.get("keep"):
            try:
                self._ids = seeding.seed(self._world, params.get("seed", {}))
            except ValueError as error:
                raise RpcError(CANNOT_BUILD, "a seed is no record", what=str(error)) from error
        self._world.handles = self._ids
        self.points.begin()
        return {"ids": self._ids, "roots": {"store": str(root)}}

    def _call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        world, op = self.world, params["op"]
        if op not in OPERATIONS:
            raise RpcError(UNSUPPORTED, f"there is no {op}", capability=f"lite.{op}")
        self.points.begin()
        world.ruling.trace = [] if params.get("trace") else None
        session = world.session(params.get("as", "main"))
        args = params["args"]
        answer = OPERATIONS[op](world, session, args)
        notices.announce(world, session, op, args, answer)
        reply: dict[str, Any] = {"result": answer.result, "text": answer.text}
        if world.ruling.trace is not None:
            reply["trace"] = world.ruling.trace
        return reply

    def _turn(self, params: Mapping[str, Any]) -> dict[str, Any]:
        world = self.world
        self.points.begin()
        return turn(world, world.session(params.get("session", "main")), params)

    def _set(self, params: Mapping[str, Any]) -> dict[str, Any]:
        world = self.world
        for name in _SETTINGS:
            if name in params:
                setattr(world, name, readable(params[name]))
        if "project" in params:
            world.project = {"id": "p1", "confirmed": True, **params["project"]}
        if "budget" in params:
            world.budget |= params["budget"]
        if "switches" in params:
            world.set_switches(params["switches"])
        if "now" in params or "mono" in params:
            world.clock.set(now=params.get("now"), mono=params.get("mono"))
        if "advance_ms" in params:
            world.clock.advance(params["advance_ms"])
        if params.get("cancel"):
            world.cancelled = True
        if "issue_context" not in params:
            return {}
        asked = params["issue_context"]
        return {"contextId": contexts.issue(world, asked["kind"], readable(asked.get("context")))}

    def _fault(self, params: Mapping[str, Any]) -> dict[str, Any]:
        world = self.world
        if "lock" in params:
            lock = params["lock"]
            scope = GLOBAL if lock["scope"] == "global" else world.project_scope or GLOBAL
            plant_lock(
                world.store, scope, lock["holder"], world.clock, lock.get("release_after_ms")
            )
        elif "damage" in params:
            self._damage(params["damage"]["cold"], params["damage"]["how"])
        else:
            self.points.arm(params)
        return {}

    def _damage(self, handle: str, how: str) -> None:
        """Damage or lose the cold body of a seeded record."""
        found = self.world.find(self._ids[handle])
        if found is None:
            raise RpcError(CANNOT_BUILD, "the record is gone", what=f"damage of {handle}")
        path = cold_file(self.world.store.root / found.scope.folder, found.record.id)
        if not path.exists():
            raise RpcError(CANNOT_BUILD, "its body is not cold", what=f"damage of {handle}")
        data = path.read_bytes()
        if how == "lose":
            path.unlink()
        elif how == "truncate":
            path.write_bytes(data[: len(data) // 2])
        else:
            path.write_bytes(data[:-3] + bytes([(data[-3] + 1) % 256]) + data[-2:])

    def _inspect(self, params: Mapping[str, Any]) -> dict[str, Any]:
        world = self.world
        part = params["part"]
        session = world.session("main")
        ledger = session.ledger
        parts: dict[str, Callable[[], Any]] = {
            "records": lambda: seeding.shown(world),
            "access": lambda: self._access(world),
            "ledgers": lambda: {
                "reads": ledger.reads,
                "bytes": ledger.bytes,
                "bodies": ledger.bodies,
                "injection": {"cards": ledger.cards, "bytes": ledger.injected_bytes},
            },
            "slots": lambda: {
                topic: picked
                for scope in reversed(world.scopes)
                for topic, picked in world.store.read(scope).slots.items()
            },
            "generations": lambda: {
                scope.folder: world.store.read(scope).generation for scope in world.store.scopes()
            },
            "citations": lambda: citations.rendered(world, session),
            "notices": lambda: notices.shown(session),
            "receipts": lambda: receipts(world),
            "io": lambda: [_shown(event) for event in world.store.files.events],
        }
        if part not in parts:
            raise RpcError(UNSUPPORTED, f"no {part}", capability=f"inspect.{part}")
        return {part: parts[part]()}

    def _access(self, world: World) -> list[dict[str, Any]]:
        """Return when each record was last read."""
        return sorted(
            (
                {"id": id_, "layer": scope.layer, "lastReadAt": times.get(id_)}
                for scope in world.store.scopes()
                for times in [world.store.read_times(scope)]
                for id_ in world.store.read(scope).records
            ),
            key=lambda entry: (str(entry["id"]), str(entry["layer"])),
        )

    def _decide(self, params: Mapping[str, Any]) -> dict[str, Any]:
        table = params["table"]
        if table not in self.rules.tables:
            raise RpcError(INVALID_PARAMS, f"there is no table {table}")
        try:
            decisions = [self.rules.decide(table, inputs) for inputs in params["inputs"]]
        except InputsError as error:
            raise RpcError(INVALID_PARAMS, str(error)) from error
        return {"decisions": [{"outcome": dict(d.outcome), "row": d.row} for d in decisions]}

    def _close(self, params: Mapping[str, Any]) -> dict[str, Any]:
        del params
        self._world = None
        return {}


def _shown(event: Event) -> dict[str, str]:
    """Return what was done to a file; written bytes in base64."""
    said = {"op": event.op, "path": event.path}
    if event.to is not None:
        said["to"] = event.to
    if event.data is not None:
        said["data"] = base64.b64encode(event.data).decode()
    return said
