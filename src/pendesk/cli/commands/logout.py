"""pendesk logout: end a login, here and at the server."""

import click

from pendesk.cli.parts import credentials
from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.remote import Refused, Remote, Unreachable
from pendesk.cli.parts.target_server import find_url


@click.command()
@click.option("--url", metavar="URL", help="The server [the only one with a login].")
@everywhere
@pass_console
def logout(console: Console, url: str | None) -> None:
    """End the login at the server and forget it here. A token that was pasted in is only forgotten."""
    server = find_url(url, None)
    entry = credentials.read(server) if server else None
    if server is None or entry is None:
        raise Failure(f"There is no login for {server or 'any server'}. Name one with --url.")
    ended = entry.get("refresh_token") is not None
    if ended:
        try:
            Remote(server).post_form("/oauth/revoke", token=entry["refresh_token"], client_id=entry["client_id"])
        except (Refused, Unreachable) as error:
            ended = False
            console.warn(f"{error}. The login is forgotten here; end it there under Settings, or it ends by itself.")
    credentials.remove(server)
    console.answer({"url": server, "revoked": ended}, f"Signed out of {server}.")
