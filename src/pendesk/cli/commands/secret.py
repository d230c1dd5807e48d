"""pendesk secret: the key with which the server signs links and seals, and encrypts other servers' tokens."""

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.local import check_sqlite_file_exists, current_process, public_url
from pendesk.setting_values import SHORTEST_SECRET_CHARS
from pendesk.settings import Settings
from pendesk.store import secret as store_secret

if TYPE_CHECKING:
    from pendesk.operations.access.rotate_secret import RotationResult


@click.group()
@common_options
def secret() -> None:
    """Replace the server's secret."""


@secret.command()
@click.option("--new-secret-stdin", is_flag=True, help="Read the new secret from stdin [a random one].")
@common_options
@pass_console
def rotate(console: Console, new_secret_stdin: bool) -> None:
    """Replace the secret. Stop every server first. Webhooks get new secrets; sign-ins and tokens stay valid."""
    settings = console.load_settings()
    check_sqlite_file_exists(settings)
    if settings.secret_key is not None and not new_secret_stdin:
        source = settings.origins["secret_key"].source
        raise CommandError(
            f"The secret comes from {source}, which this command cannot change. Write a new one to a file, run "
            f"`pendesk secret rotate --new-secret-stdin < FILE`, then set it in {source}."
        )
    key = _read_new_secret_from_stdin() if new_secret_stdin else store_secret.generate()
    with console.progress("Rotating the secret"):
        rotated = asyncio.run(_rotate_secret(settings, key))
    result = {
        "workspaces": rotated.workspaces,
        "seals": rotated.seals,
        "tokens": rotated.tokens,
        "pictures": rotated.mirrors,
        "webhooks": rotated.webhooks,
        "githubProjects": rotated.github_projects,
    }
    next_steps = [
        f"Next: {console.append_data_and_config_options('pendesk backup')}, then "
        + console.append_data_and_config_options("pendesk serve")
    ]
    console.print_result(result, "\n".join(_format_rotation_result_lines(settings, rotated)), next_steps)


def _read_new_secret_from_stdin() -> bytes:
    """Never from the command line, which other users of the machine can read."""
    text = sys.stdin.read().strip()
    if len(text) < SHORTEST_SECRET_CHARS or not text.isprintable():
        raise CommandError(
            f"The new secret must be one line of {SHORTEST_SECRET_CHARS} characters or more. Choose another."
        )
    return text.encode()


async def _rotate_secret(settings: Settings, new_secret: bytes) -> "RotationResult":
    """If it is interrupted at any point, the next start uses the secret of the database: see store/secret.py."""
    from pendesk.main import open_service_exclusively
    from pendesk.operations.access import rotate_secret

    in_file = settings.secret_key is None
    async with open_service_exclusively(settings, public_url(settings), current_process()) as service:
        if new_secret == service.installation.signing_key:
            raise CommandError("This secret is already in use. Choose another.")
        if in_file:
            store_secret.write(settings.data, new_secret, store_secret.NEXT_NAME)
        rotated = await service.dispatcher.call_as_server(rotate_secret.OPERATION, new_secret)
        if in_file:
            store_secret.activate_next_secret(settings.data)
    return rotated


def _format_rotation_result_lines(settings: Settings, rotated: "RotationResult") -> list[str]:
    lines = [
        f"The secret was replaced. {rotated.seals} seals of the log were signed again, and {rotated.tokens} stored "
        "tokens encrypted again.",
        "Sign-ins, tokens, invites and shares stay valid. Old links to attachments and unfinished sign-ins stop.",
    ]
    if rotated.mirrors:
        lines.append(f"{rotated.mirrors} mirrors of other servers' projects have new links: publish them again there.")
    if rotated.webhooks:
        lines.append(
            "These webhooks need new secrets: create one for each with update_webhook and new_secret, and set it at "
            f"the receiver: {', '.join(rotated.webhooks)}"
        )
    if rotated.github_projects:
        listed = ", ".join(f"pendesk github set {key}" for key in rotated.github_projects)
        lines.append(f"Set new secrets at GitHub: {listed}")
    if settings.secret_key is not None:
        lines.append(f"Set the new secret in {settings.origins['secret_key'].source} before you start a server.")
    lines.append("Older backups need the old secret: it is in them, unless they were created with --without-secret.")
    return lines
