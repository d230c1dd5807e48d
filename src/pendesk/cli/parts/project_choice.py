"""Which project a repository belongs to: the one that is named, the only one, or the one that a person picks."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import Console, Failure
from pendesk.cli.parts.local import at_desk
from pendesk.cli.parts.remote import Refused, Remote
from pendesk.cli.parts.token_source import Access


def choose_project(console: Console, access: Access, url: str, named: str | None, bound: str | None) -> str | None:
    wanted = named or bound
    if wanted is not None and _find(console, access, url, wanted):
        return wanted.upper()
    if named is not None:
        there = ", ".join(each["key"] for each in _all(console, access, url)) or "none yet"
        raise Failure(f"There is no project {named!r} that you can see at {url}. There is: {there}.")
    found = _all(console, access, url)
    if len(found) <= 1:
        return str(found[0]["key"]) if found else None
    return _ask(found)


def _ask(found: list[dict[str, Any]]) -> str:
    keys = [each["key"] for each in found]
    listed = "\n".join(f"  {each['key']:<10} {each['name']}" for each in found)
    if not sys.stdin.isatty():
        raise Failure(f"Several projects are there; choose one with --project:\n{listed}")
    click.echo(f"Several projects are there:\n{listed}", err=True)
    return str(click.prompt("Which one is this repository's", type=click.Choice(keys, case_sensitive=False), err=True))


def _all(console: Console, access: Access, url: str) -> list[dict[str, Any]]:
    """As the owner of the data folder sees them, else as the token does."""
    if access.data is not None:
        told = at_desk(console, lambda local: local.call_all("list_projects", "projects"))
    else:
        told = Remote(url, access.token).get("/api/v1/context")
    return [each for each in told["projects"] if each["state"] == "active"]


def _find(console: Console, access: Access, url: str, key: str) -> bool:
    if access.token is None:
        return any(key.upper() == each["key"] for each in _all(console, access, url))
    try:
        Remote(url, access.token).get("/api/v1/context", project_id=key.upper())
    except Refused as refused:
        if refused.status == 404:
            return False
        raise
    return True
