"""The program ``memrules``: one command a module of ``commands``, and what every one shares."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import pathlib
import sys
import traceback
from importlib.metadata import version
from typing import TYPE_CHECKING

from memrules_spec import SpecError

from .commands import COMMANDS, CommandError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
FEW_COLLECTIONS = 100_000
"""New objects between two collections: fixtures are many objects, and nearly all of them stay."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; what goes wrong is said in words, never a traceback.

    0 conforms, 1 does not, 2 wrong usage, 3 that could not be found out.
    """
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    chosen = parser().parse_args(arguments)
    gc.set_threshold(FEW_COLLECTIONS)
    try:
        code: int = chosen.run(chosen)
        sys.stdout.flush()
    except UsageError as error:
        return _say(str(error), 2)
    except CommandError as error:
        return _say(str(error), error.code)
    except SpecError as error:
        return _say("\n".join(["these rules cannot be used:", *map(str, error.faults)]), 3)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _say(f"{error.filename or 'the system'}: {error.strerror or error}", 3)
    except Exception as error:  # noqa: BLE001 the last door: what a person sees is words
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{pathlib.Path(frame.filename).name}:{frame.lineno}"
        what = f"{type(error).__name__} at {where}: {error}"
        return _say(f"memrules failed by a fault of its own, please report it: {what}", 3)
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="memrules",
        description="Tells whether an implementation of agent memory obeys its rules.",
        epilog="Exit codes: 0 conforms, 1 does not, 2 wrong usage, 3 could not be found out.",
    )
    top.add_argument("--version", action="version", version=f"memrules {version('memrules')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return top


def _say(text: str, code: int) -> int:
    """Say what went wrong and return the exit code."""
    sys.stderr.write(f"{text}\n")
    return code
