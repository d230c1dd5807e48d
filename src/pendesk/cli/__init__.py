"""The command line: one file per command, imported when it is called; heavy modules only inside it.

Exit codes: 0 success, 1 refused or failed, 2 wrong usage. `doctor` has its own, described there.
"""

import importlib
import keyword
import os
from typing import Any

import click
from click.exceptions import NoSuchCommand

from pendesk import __version__
from pendesk.cli.parts.console import Console, common_options, report_errors

# In the order of use. Each is the function of its name in the module of its name.
COMMANDS = [
    "init",
    "serve",
    "demo",
    "connect",
    "disconnect",
    "context",
    "work",
    "change",
    "headers",
    "login",
    "logout",
    "whoami",
    "token",
    "grant",
    "user",
    "workspace",
    "project",
    "spec",
    "export",
    "import",
    "share",
    "github",
    "backup",
    "restore",
    "secret",
    "migrate",
    "verify",
    "doctor",
    "completion",
]


class Commands(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.ensure_object(Console).json_requested = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with report_errors(ctx):
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        command: click.Command = getattr(importlib.import_module(f"pendesk.cli.commands.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            raise NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None


EPILOG = (
    "Exit codes: 0 success, 1 refused or failed, 2 wrong usage; doctor: 1 problems, 2 the database is corrupt. "
    "First steps: pendesk serve, then pendesk demo, then pendesk connect in a repository."
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(__version__, prog_name="pendesk")
@common_options
@click.pass_context
def main(ctx: click.Context) -> None:
    """Pendesk: a self-hosted work server for coding agents."""
    # Only their owner may read database, keys and attachments.
    ctx.ensure_object(Console).umask = os.umask(0o077)
