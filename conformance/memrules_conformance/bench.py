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
        self._lent: list[OpenDoor] = []
        self._hello: Mapping[str, Any] | None = None

    def door(self, *, hosted: bool) -> OpenDoor:
        """Return the door that is open, or a new one if there is none; raise StartError."""
        door = self._kept.get(hosted)
        if door is None or door.lost:
            door = self._kept[hosted] = self._new(hosted=hosted)
        return door

    def another(self) -> OpenDoor:
        """Return one more process of the target, until they are taken back; raise StartError."""
        self._lent.append(self._new(hosted=True))
        return self._lent[-1]

    def take_back(self) -> list[str]:
        """Close the doors that were lent, and return the stops at which nothing ever stopped."""
        unfired: list[str] = []
        while self._lent:
            door = self._lent.pop()
            door.close()
            unfired += door.unfired
        return unfired

    def _new(self, *, hosted: bool) -> OpenDoor:
        """Return a door that says the same hello as those before; raise StartError."""
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
        self.take_back()
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
        hasty: bool = False,
        most_worlds: int | None = None,
    ) -> None:
        self.rules = rules
        self.seed = seed
        self.hasty = hasty
        self.most_worlds = most_worlds
        self._claims = claims
        self._doors = doors
        self._stores = stores
        self._family = family
        self._hosted = hosted
        self._durable = durable
        self._store: Path | None = None
        self._world: Mapping[str, Any] = {}
        self._killed = False
        self._unfired: list[str] = []
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
        self._unfired += self.door.unfired

    def spawn(self) -> OpenDoor:
        """Return one more process of the target, closed with the check."""
        return self._doors.another()

    def store(self) -> str:
        """Return the path of the store of the world that is open."""
        if self._store is None:
            raise KitError("no world is open")
        return str(self._store)

    def finish(self) -> str | None:
        """End the world; return what the target still owes, or None; raise TargetFault."""
        try:
            self._unfired += self._doors.take_back()
            self._close_world()
            self.door.settle()
            if not self._killed:
                self._unfired += self.door.unfired
                self.door.unfired.clear()
        finally:
            self._forget()
        return f"nothing ever stopped at {', '.join(self._unfired)}" if self._unfired else None

    def lost(self) -> bool:
        """Tell whether the target died by itself."""
        return self._door.lost and not self._killed

    def _leave(self) -> None:
        """End the world that is open, if one is."""
        self._close_world()
        self._forget()

    def _close_world(self) -> None:
        """End the world in the target; end the target where an operation still waits in it."""
        if self.door.busy:
            self.kill()
        elif self._store is not None and not self.door.lost:
            self.door.call("close", {})

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
