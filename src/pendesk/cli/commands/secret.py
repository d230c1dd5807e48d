"""pendesk secret: the one with which the server signs links and seals, and encrypts other servers' tokens."""

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.local import check_begun, public_url, this_command
from pendesk.settings import SHORTEST_SECRET_CHARS, Settings
from pendesk.store import secret as store_secret

if TYPE_CHECKING:
    from pendesk.operations.access.rotate_secret import Rotated


@click.group()
@everywhere
def secret() -> None:
    """Replace the server's secret."""


@secret.command()
@click.option("--new-secret-stdin", is_flag=True, help="Read the new one from stdin [one is made].")
@everywhere
@pass_console
def rotate(console: Console, new_secret_stdin: bool) -> None:
    """Replace the secret, with every server stopped. Webhooks get new secrets; sessions and tokens stay."""
    settings = console.settings()
    check_begun(settings)
    if settings.secret_key is not None and not new_secret_stdin:
        source = settings.origins["secret_key"].source
        raise Failure(
            f"The secret stands in {source}, which this command cannot change. Write a new one into a file, run "
            f"`pendesk secret rotate --new-secret-stdin < FILE`, then put it into {source}."
        )
    key = _given() if new_secret_stdin else store_secret.draw()
    with console.progress("Rotating the secret"):
        rotated = asyncio.run(_rotate(settings, key))
    answer = {
        "workspaces": rotated.workspaces,
        "seals": rotated.seals,
        "tokens": rotated.tokens,
        "pictures": rotated.mirrors,
        "webhooks": rotated.webhooks,
        "githubProjects": rotated.github_projects,
    }
    console.answer(answer, "\n".join(_lines(console, settings, rotated)))


def _given() -> bytes:
    """Never from the command line, which other users of the machine can read."""
    text = sys.stdin.read().strip()
    if len(text) < SHORTEST_SECRET_CHARS or not text.isprintable():
        raise Failure(f"The new secret must be one line of {SHORTEST_SECRET_CHARS} characters or more. Give another.")
    return text.encode()


async def _rotate(settings: Settings, key: bytes) -> "Rotated":
    """Cut off at any point, the next start finds the secret that the database knows: see store/secret.py."""
    from pendesk.main import opened_alone
    from pendesk.operations.access import rotate_secret

    in_file = settings.secret_key is None
    async with opened_alone(settings, public_url(settings), this_command()) as service:
        if key == service.installation.signing_key:
            raise Failure("That is the secret in use already. Give another.")
        if in_file:
            store_secret.write(settings.data, key, store_secret.NEXT_NAME)
        rotated = await service.dispatcher.call_as_server(rotate_secret.OPERATION, key)
        if in_file:
            store_secret.put_next(settings.data)
    return rotated


def _lines(console: Console, settings: Settings, rotated: "Rotated") -> list[str]:
    lines = [
        f"The secret was replaced. {rotated.seals} seals of the log were signed again, and {rotated.tokens} stored "
        "tokens encrypted again.",
        "Sessions, tokens, invites and shares stay. Old links to attachments and unfinished sign-ins stop working.",
    ]
    if rotated.mirrors:
        lines.append(f"{rotated.mirrors} pictures of other servers have new links: publish them again there.")
    if rotated.webhooks:
        lines.append(
            "These webhooks have new secrets: make one for each with update_webhook and new_secret, and give it to the "
            f"receiver: {', '.join(rotated.webhooks)}"
        )
    if rotated.github_projects:
        listed = ", ".join(f"pendesk github set {key}" for key in rotated.github_projects)
        lines.append(f"Give GitHub new secrets: {listed}")
    if settings.secret_key is not None:
        lines.append(f"Put the new secret into {settings.origins['secret_key'].source} before you start a server.")
    steps = f"{console.command('pendesk backup')}, then {console.command('pendesk serve')}"
    kept = "Older backups need the old secret: it is in them, unless they were made with --without-secret."
    return [*lines, f"{kept} Next: {steps}"]
