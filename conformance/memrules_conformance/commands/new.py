"""``memrules new adapter --language python|node NAME``: a file to begin with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memrules_conformance.skeletons import COMMANDS, LANGUAGES, BadNameError, write_adapter

from .errors import UsageError

if TYPE_CHECKING:
    import argparse

    from .options import Commands


def add_to(commands: Commands) -> None:
    """Add the command and the commands below it."""
    parser = commands.add_parser(
        "new",
        help="begin an adapter",
        description="Write a file to begin with.",
    )
    below = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    adapter = below.add_parser(
        "adapter",
        help="an adapter that starts, and supports nothing yet",
        description="Write the skeleton of an adapter into this folder.",
        epilog="docs/new-adapter.md grows it step by step.  Exit codes: 0 written, 2 wrong usage.",
    )
    adapter.set_defaults(run=run)
    adapter.add_argument("name", metavar="NAME", help="letters, digits, - and _")
    adapter.add_argument("--language", choices=sorted(LANGUAGES), required=True)


def run(chosen: argparse.Namespace) -> int:
    """Write the skeleton and return the exit code."""
    try:
        file = write_adapter(Path(), chosen.language, chosen.name)
    except BadNameError as error:
        raise UsageError(str(error)) from error
    target = f"stdio:{COMMANDS[chosen.language]} {file}"
    sys.stdout.write(f'{file}: written\nnext: memrules smoke "{target}"\n')
    return 0
