"""pendesk logout: sign out, here and at the server."""

import click

from pendesk.cli.parts import credentials
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.remote import CallRefused, RemoteClient, ServerUnreachable
from pendesk.cli.parts.target_server import find_server_url


@click.command()
@click.option("--url", metavar="URL", help="The server [the only one with a login].")
@common_options
@pass_console
def logout(console: Console, url: str | None) -> None:
    """Sign out of a server. Revokes and deletes the login; a token that you pasted is only deleted here."""
    server = find_server_url(url, None)
    entry = credentials.read_saved_login(server) if server else None
    if server is None or entry is None:
        raise CommandError(f"You are not signed in at {server or 'any server'}. Name a server with --url.")
    revoked = entry.get("refresh_token") is not None
    if revoked:
        try:
            RemoteClient(server).post_form("/oauth/revoke", token=entry["refresh_token"], client_id=entry["client_id"])
        except (CallRefused, ServerUnreachable) as error:
            revoked = False
            console.warn(
                f"{error}. The login is deleted here. Revoke it there under Settings, or it expires by itself."
            )
    credentials.remove_saved_login(server)
    console.print_confirmation({"url": server, "revoked": revoked}, f"Signed out of {server}.")
