"""``memrules export DIR``: the suite as plain JSON, for a test runner in any language."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memrules_conformance.export import NotEmptyError, write
from memrules_conformance.fixtures import load_cases

from .errors import UsageError
from .options import add_rules, rules_of, under

if TYPE_CHECKING:
    import argparse

    from .options import Commands


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "export",
        help="write the suite as plain JSON, to be run without Python",
        description="Write fixtures and vectors as plain JSON, with schemas and a contract.",
        epilog="Exit codes: 0 written, 2 wrong usage, 3 the rules or fixtures cannot be used.",
    )
    parser.set_defaults(run=run)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    add_rules(parser)


def run(chosen: argparse.Namespace) -> int:
    """Write the set and return the exit code."""
    rules, _ = under(rules_of(chosen), chosen.readings)
    try:
        done = write(chosen.folder, rules, load_cases(rules))
    except (NotEmptyError, NotADirectoryError, FileExistsError) as error:
        raise UsageError(str(error)) from error
    left_out = f" ({done.left_out} hold only under other readings)" if done.left_out else ""
    sys.stdout.write(
        f"{chosen.folder}: {done.cases} cases{left_out} and {done.rows} rows of tables, which "
        f"stand for {done.combinations} combinations\n"
        f"digest {done.digest}\n"
        f"next: read {chosen.folder / 'CONTRACT.md'}\n"
    )
    return 0
