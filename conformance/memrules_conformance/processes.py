"""Processes of a target: started in a group of their own, and ended whole, orphans and all."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARK = "MEMRULES_DOOR"
"""The environment variable by which whatever a target started is known as its own."""

LONGEST_END = 5.0
"""Seconds within which a process that got signal 9 is gone."""


@dataclass
class Process:
    """One process of a target with everything that it starts."""

    popen: subprocess.Popen[bytes]
    mark: str
    began: float = field(default_factory=time.time)

    @property
    def pid(self) -> int:
        """The process's id, which is its group's id too."""
        return self.popen.pid

    def has_ended(self) -> bool:
        """Tell whether the process has ended by itself; its id stays taken until :meth:`end`."""
        if self.popen.returncode is not None:
            return True
        try:
            return psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    def end(self) -> int | None:
        """Kill the group and what left it; return the exit code (below 0: the signal's number)."""
        if hasattr(os, "killpg") and self.popen.returncode is None:
            # Before the wait: until then the group's number cannot be given to somebody else.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        if self.popen.poll() is None:
            self.popen.kill()
        if self.popen.stdin is not None:
            with contextlib.suppress(OSError):
                self.popen.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(LONGEST_END)
        deadline = time.monotonic() + LONGEST_END
        while time.monotonic() < deadline:
            left = list(self.descendants())
            if not left:
                break
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            time.sleep(0.01)
        return self.popen.returncode

    def descendants(self) -> Iterator[psutil.Process]:
        """Yield every process that carries the mark, wherever it hangs in the tree."""
        for process in psutil.process_iter():
            try:
                if process.pid == self.pid or process.create_time() < self.began - 2:
                    continue
                if process.environ().get(MARK) == self.mark:
                    yield process
            except (psutil.Error, OSError):
                continue


def start(command: Sequence[str]) -> Process:
    """Start a command with pipes for its three streams; may raise OSError."""
    mark = uuid.uuid4().hex
    return Process(
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, MARK: mark},
            start_new_session=True,
        ),
        mark,
    )
