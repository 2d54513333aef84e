"""Options that several commands have, and what their texts mean."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memrules_spec import Rules, SpecError

from .errors import CommandError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 it has no other name

LONGEST = 86_400


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the rules."""
    parser.add_argument(
        "--spec", type=Path, metavar="DIR", help="the folder of the rules (default: memrules' own)"
    )
    parser.add_argument(
        "--readings",
        action="append",
        default=[],
        type=pair,
        metavar="KEY=OPTION",
        help="another option of a reading than the default; may be repeated",
    )


def rules_of(chosen: argparse.Namespace) -> Rules:
    """Return the rules under the defaults; raise SpecError with every fault of every file."""
    if chosen.spec is not None and not chosen.spec.is_dir():
        raise UsageError(f"{chosen.spec} is no folder; --spec wants one that holds a family")
    return Rules.load(chosen.spec)


def under(rules: Rules, given: Iterable[tuple[str, str]]) -> tuple[Rules, dict[str, str | int]]:
    """Return rules under readings, and those readings by key; raise UsageError for a wrong one."""
    readings: dict[str, str | int] = {}
    for key, option in given:
        kinds = {r.kind for known in rules.readings.values() for k, r in known.items() if k == key}
        readings[key] = int(option) if "number" in kinds and option.isdecimal() else option
    try:
        return rules.with_readings(readings), readings
    except SpecError as error:
        faults = "; ".join(fault.message for fault in error.faults)
        raise UsageError(
            f"--readings: {faults}.  `memrules spec show READING` prints a reading and its options."
        ) from error


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of ``KEY=VALUE``."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def make_folder(folder: Path | None, option: str) -> None:
    """Make the folder that an option names, if it names one; raise UsageError if that fails."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{option} {folder}: {error.strerror}; name a folder that can be made and written to"
        ) from error
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{option} {folder} cannot be written to; name another folder")


def positive(text: str) -> float:
    """Return a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0, of a day at most")
    return number


def count(text: str) -> int:
    """Return a whole number from 1."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def find(name: str, known: Mapping[str, Any], kind: str) -> Any:
    """Return what a name stands for; a family may be left out.  Raise CommandError for no match."""
    found = [value for key, value in known.items() if name in (key, key.partition("/")[2])]
    if len(found) != 1:
        raise CommandError(f"there is no {kind} {name}; there are {', '.join(known)}", 2)
    return found[0]
