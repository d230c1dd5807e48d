"""The command line: one file per command. What is heavy is imported inside the commands, so that --help is quick.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage. `doctor` has its own: see there.
"""

import os
from typing import Any

import click

from pendesk import __version__
from pendesk.cli.connect import connect
from pendesk.cli.console import Console, everywhere, explained
from pendesk.cli.demo import demo
from pendesk.cli.disconnect import disconnect
from pendesk.cli.doctor import doctor
from pendesk.cli.github import github
from pendesk.cli.headers import headers
from pendesk.cli.init import init
from pendesk.cli.migrate import migrate
from pendesk.cli.serve import serve
from pendesk.cli.token import token
from pendesk.cli.user import user
from pendesk.cli.verify import verify

COMMANDS: list[click.Command] = [
    init,
    serve,
    demo,
    connect,
    disconnect,
    headers,
    token,
    user,
    github,
    migrate,
    verify,
    doctor,
]


class Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        with explained(ctx):
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order of use, not of the alphabet


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pendesk")
@everywhere
@click.pass_context
def main(ctx: click.Context) -> None:
    """Pendesk: a self-hosted work server for coding agents."""
    # Database, keys and attachments are the owner's alone.
    ctx.ensure_object(Console).umask = os.umask(0o077)


for command in COMMANDS:
    main.add_command(command)
