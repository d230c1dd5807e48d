"""pendesk login: sign in at a server, for commands and for connected repositories."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from pendesk.cli.binding import record
from pendesk.cli.parts import credentials, oauth_login
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.remote import RemoteClient
from pendesk.cli.parts.server_url import choose_server_url, is_unencrypted_remote
from pendesk.cli.parts.token_source import is_token_accepted
from pendesk.cli.parts.tool_choice import tools_option
from pendesk.domain.access import TOOL_SETS, describe_scopes
from pendesk.domain.token import has_token_format


@click.command()
@click.option("--url", metavar="URL", help="The server [the one on this machine].")
@click.option("--device", is_flag=True, help="Show a code to enter in a browser on another machine, e.g. over SSH.")
@click.option("--with-token", is_flag=True, help="Read a token from stdin instead.")
@tools_option("What your agents may do [what the server advertises; you can change it in the browser].")
@click.option("--scope", metavar="SCOPES", help='Exact scopes, such as "desk.read desk.write", instead of --tools.')
@common_options
@pass_console
def login(
    console: Console, /, url: str | None, device: bool, with_token: bool, tools: str | None, scope: str | None
) -> None:
    """Sign in at a server. Uses your browser, a code on another machine (--device), or a token (--with-token)."""
    if bool(tools) + bool(scope) + with_token > 1:
        raise click.UsageError("Use only one of --tools, --scope and --with-token: a token has its own scopes.")
    scope = TOOL_SETS[tools].scope_text if tools else scope
    root = record.find_connected_repo(Path())
    binding = record.read_binding(root) if root else None
    server = choose_server_url(
        console, url, binding and binding.url, record.read_user_confirmed_server_url(root) if root else None
    )
    if is_unencrypted_remote(server):
        raise CommandError(f"{server} is not encrypted: others could read your sign-in. Use its https URL.")
    if with_token:
        entry = _login_with_token_from_stdin(server)
    elif device or _has_no_browser():
        entry = oauth_login.login_with_device_code(server, scope, _show_device_code)
    else:
        entry = oauth_login.login_with_browser(server, scope, _open_browser)
    context = RemoteClient(server, entry["access_token"]).get("/api/v1/context")
    file = credentials.save_login_and_get_file_path(server, entry)
    if file is not None:
        console.warn(f"there is no keyring on this machine; the login is saved in {file}, which only you can read.")
    result = {
        "url": server,
        "user": context["userName"],
        "workspace": context["workspace"],
        "scopes": context["scopes"],
        "keptIn": file or "keyring",
    }
    granted = describe_scopes(context["scopes"])
    text = f"Signed in at {server} as {context['userName']} ({context['workspace']}). Tools: {granted}."
    console.print_confirmation(result, text)


def _login_with_token_from_stdin(server_url: str) -> dict[str, Any]:
    token = sys.stdin.read().strip()
    if not has_token_format(token):
        raise CommandError("This is not a Pendesk token: it must start with pendesk_mcp_. Copy all of it.")
    if not is_token_accepted(server_url, token):
        raise CommandError(f"{server_url} does not accept this token: it is revoked, expired, or from another server.")
    return {"access_token": token, "refresh_token": None}


def _has_no_browser() -> bool:
    """Over SSH a browser would open on the wrong machine, if at all."""
    if os.environ.get("SSH_CONNECTION"):
        return True
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    return sys.platform.startswith("linux") and not screen


def _open_browser(url: str) -> None:
    click.echo(f"Opening your browser. If it does not open, visit:\n  {url}", err=True)
    click.launch(url)


def _show_device_code(authorization: dict[str, Any]) -> None:
    minutes = int(authorization["expires_in"]) // 60
    click.echo(
        f"Open {authorization['verification_uri']} in any browser and enter the code {authorization['user_code']}\n"
        f"(or go to {authorization['verification_uri_complete']}). Waiting for {minutes} minutes.",
        err=True,
    )
