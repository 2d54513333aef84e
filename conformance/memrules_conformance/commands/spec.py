"""``memrules spec check | show | decide | mutate``: the rules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import spec_check, spec_decide, spec_mutate, spec_show

if TYPE_CHECKING:
    from .options import Commands


def add_to(commands: Commands) -> None:
    """Add the command and the commands below it."""
    parser = commands.add_parser(
        "spec",
        help="prove the rules, show one of them, decide by them, or change them",
        description="The rules as data: prove, show, decide by them, or see who notices a change.",
    )
    below = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (spec_check, spec_show, spec_decide, spec_mutate):
        command.add_to(below)
