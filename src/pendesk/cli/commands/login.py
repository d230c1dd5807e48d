"""pendesk login: sign in at a server, for commands and for repositories that are connected to it."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from pendesk.cli.binding import record
from pendesk.cli.parts import credentials, oauth_login
from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.remote import Remote
from pendesk.cli.parts.server_url import choose_url, is_plain
from pendesk.cli.parts.token_source import works
from pendesk.domain.token import is_token


@click.command()
@click.option("--url", metavar="URL", help="The server [the one that runs here].")
@click.option("--device", is_flag=True, help="Show a code to enter in a browser elsewhere, as over SSH.")
@click.option("--with-token", is_flag=True, help="Read a token from stdin instead.")
@click.option("--scope", metavar="SCOPES", help='[what the server advertises; or "desk.read desk.write"]')
@everywhere
@pass_console
def login(console: Console, url: str | None, device: bool, with_token: bool, scope: str | None) -> None:
    """Sign in by your browser, by a code on another machine, or with a token."""
    root = record.find_root(Path())
    bound = record.read_binding(root) if root else None
    server = choose_url(console, url, bound and bound.url, record.agreed_url(root) if root else None)
    if is_plain(server):
        raise Failure(f"{server} is not encrypted: others could read what you sign in with. Use its https address.")
    if with_token:
        entry = _with_token(server)
    elif device or _has_no_browser():
        entry = oauth_login.by_device(server, scope, _show_code)
    else:
        entry = oauth_login.by_browser(server, scope, _open)
    told = Remote(server, entry["access_token"]).get("/api/v1/context")
    file = credentials.save(server, entry)
    if file is not None:
        console.warn(f"there is no keyring here; the login is kept in {file}, which only you can read.")
    answer = {"url": server, "user": told["userName"], "workspace": told["workspace"], "keptIn": file or "keyring"}
    console.answer(answer, f"Signed in at {server} as {told['userName']} ({told['workspace']}).")


def _with_token(server: str) -> dict[str, Any]:
    token = sys.stdin.read().strip()
    if not is_token(token):
        raise Failure("That is no Pendesk token: one begins with pendesk_mcp_. Copy it whole.")
    if not works(server, token):
        raise Failure(f"{server} does not take that token: it is revoked, expired, or of another server.")
    return {"access_token": token, "refresh_token": None}


def _has_no_browser() -> bool:
    """Over SSH a browser would open on the wrong machine, if at all."""
    if os.environ.get("SSH_CONNECTION"):
        return True
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    return sys.platform.startswith("linux") and not screen


def _open(address: str) -> None:
    click.echo(f"Opening your browser. If it does not open, go to:\n  {address}", err=True)
    click.launch(address)


def _show_code(started: dict[str, Any]) -> None:
    minutes = int(started["expires_in"]) // 60
    click.echo(
        f"Open {started['verification_uri']} in any browser and enter the code {started['user_code']}\n"
        f"(or go to {started['verification_uri_complete']}). Waiting for {minutes} minutes.",
        err=True,
    )
