"""What a check has in its hands while it runs: a door, the rules, a store for each world."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from .checks import BrokeProtocol
from .protocol import KitError
from .seeding import save_all
from .stores import write_files
from .targets import StartError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memrules_spec import Rules

    from .capabilities import Claims
    from .stores import Stores
    from .targets import Asking, OpenDoor, Target

OF_THE_BEGINNING = ("seed", "script")
"""What a world holds only when it is opened for the first time."""


class Doors:
    """The doors to one target that one worker keeps open from check to check."""

    def __init__(self, target: Target, asking: Asking) -> None:
        self._target = target
        self._asking = asking
        self._kept: dict[bool, OpenDoor] = {}
        self._hello: Mapping[str, Any] | None = None

    def door(self, *, hosted: bool) -> OpenDoor:
        """Return the door that is open, or a new one if there is none; raise StartError."""
        door = self._kept.get(hosted)
        if door is None or door.lost:
            door = self._kept[hosted] = self.another(hosted=hosted)
        return door

    def another(self, *, hosted: bool) -> OpenDoor:
        """Return one more door, which the caller closes; raise StartError."""
        door = self._target.open(self._asking, hosted=hosted)
        claims = {key: door.hello[key] for key in ("unsupported", "readings", "families")}
        if self._hello is None:
            self._hello = claims
        elif self._hello != claims:
            door.close()
            raise StartError(f"{self._target.text} says another hello each time it is started")
        return door

    def drop(self, *, hosted: bool) -> None:
        """Close a door, so that the next one is fresh."""
        if door := self._kept.pop(hosted, None):
            door.close()

    def close(self) -> None:
        """Close every door."""
        for hosted in list(self._kept):
            self.drop(hosted=hosted)


class OpenBench:
    """The bench of one check; see :class:`memrules_conformance.checks.Bench`."""

    def __init__(  # noqa: PLR0913 each is a thing of its own
        self,
        doors: Doors,
        rules: Rules,
        claims: Claims,
        stores: Stores,
        *,
        family: str,
        seed: int,
        hosted: bool,
        durable: bool,
    ) -> None:
        self.rules = rules
        self.seed = seed
        self._claims = claims
        self._doors = doors
        self._stores = stores
        self._family = family
        self._hosted = hosted
        self._durable = durable
        self._spawned: list[OpenDoor] = []
        self._store: Path | None = None
        self._world: Mapping[str, Any] = {}
        self._killed = False
        self._door = doors.door(hosted=hosted)

    @property
    def door(self) -> OpenDoor:
        """The target; one that died by itself stays dead until the check is over."""
        return self._door

    def supports(self, capability: str) -> bool:
        """Tell whether the target claims a capability."""
        return self._claims.supports(capability)

    def open(self, world: Mapping[str, Any]) -> dict[str, str]:
        """Open a fresh world in a fresh store and return the id of each seeded handle."""
        self._leave()
        self._revive()
        self._store = store = self._stores.fresh(durable=self._durable)
        seed = dict(world.get("seed", {}))
        write_files(store, seed.pop("files", {}))
        by_saving = seed.pop("records", {}) if self._claims.seeds_by_saving() else {}
        params = {"family": self._family, **world, "store": str(store)}
        params.pop("seed", None)
        self._world = params
        answer = self.door.call("open", {**params, "seed": seed} if seed else params)
        ids: dict[str, str] = dict(answer["ids"])
        ids.update(save_all(self.door, self.rules, world, by_saving))
        if missing := set(seed.get("records", {})) - set(ids):
            raise BrokeProtocol(f"open gives no id for {', '.join(sorted(missing))}")
        return ids

    def reopen(self, **changes: Any) -> None:
        """Open the store again as it was left, in a world with ``changes``."""
        self._revive()
        self.door.call("open", self.keeping(**changes))

    def keeping(self, **changes: Any) -> dict[str, Any]:
        """Return the params with which another door opens the same store as it was left."""
        kept = {k: v for k, v in self._world.items() if k not in OF_THE_BEGINNING}
        return {**kept, **changes, "store": self.store(), "keep": True}

    def kill(self) -> None:
        """Kill the target's process group; the next ``reopen`` or ``open`` starts a new one."""
        self.door.kill()
        self._killed = True

    def spawn(self) -> OpenDoor:
        """Return one more process of the target, closed with the check."""
        door = self._doors.another(hosted=True)
        self._spawned.append(door)
        return door

    def store(self) -> str:
        """Return the path of the store of the world that is open."""
        if self._store is None:
            raise KitError("no world is open")
        return str(self._store)

    def finish(self) -> str | None:
        """End the world; return what the target still owes, or None; raise TargetFault."""
        try:
            for door in self._spawned:
                door.close()
            if self._store is not None and not self.door.lost:
                self.door.call("close", {})
            self.door.settle()
            unfired = [*self.door.unfired, *(stop for d in self._spawned for stop in d.unfired)]
            self.door.unfired.clear()
        finally:
            self._forget()
        return f"nothing ever stopped at {', '.join(unfired)}" if unfired else None

    def lost(self) -> bool:
        """Tell whether the target died by itself."""
        return self._door.lost and not self._killed

    def _leave(self) -> None:
        """End the world that is open, if one is."""
        if self._store is not None and not self.door.lost:
            self.door.call("close", {})
        self._forget()

    def _forget(self) -> None:
        """Remove the store of the world that was open."""
        if self._store is not None:
            shutil.rmtree(self._store, ignore_errors=True)
        self._store = None

    def _revive(self) -> None:
        """Take a new process after a kill."""
        if self._killed:
            self._killed = False
            self._door = self._doors.door(hosted=self._hosted)
