"""Which project a repository belongs to: the one that is named, the only one, or the one that a person picks."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import run_locally
from pendesk.cli.parts.remote import Refused, Remote
from pendesk.cli.parts.token_source import TokenSource


def choose_project(console: Console, access: TokenSource, url: str, named: str | None, bound: str | None) -> str | None:
    key = named or bound
    if key is not None and _project_exists(console, access, url, key):
        return key.upper()
    if named is not None:
        keys = ", ".join(project["key"] for project in _list_active_projects(console, access, url)) or "none yet"
        raise CommandError(f"You can see no project {named!r} at {url}. Available: {keys}.")
    projects = _list_active_projects(console, access, url)
    if len(projects) <= 1:
        return str(projects[0]["key"]) if projects else None
    return _prompt_for_project(projects)


def _prompt_for_project(projects: list[dict[str, Any]]) -> str:
    keys = [project["key"] for project in projects]
    listed = "\n".join(f"  {project['key']:<10} {project['name']}" for project in projects)
    if not sys.stdin.isatty():
        raise CommandError(f"There are several projects. Choose one with --project:\n{listed}")
    click.echo(f"There are several projects:\n{listed}", err=True)
    return str(click.prompt("Project of this repository", type=click.Choice(keys, case_sensitive=False), err=True))


def _list_active_projects(console: Console, access: TokenSource, url: str) -> list[dict[str, Any]]:
    """As the owner of the data folder sees them, else as the token does."""
    if access.data is not None:
        result = run_locally(console, lambda local: local.call_all("list_projects", "projects"))
    else:
        result = Remote(url, access.token).get("/api/v1/context")
    return [project for project in result["projects"] if project["state"] == "active"]


def _project_exists(console: Console, access: TokenSource, url: str, key: str) -> bool:
    if access.token is None:
        return any(key.upper() == project["key"] for project in _list_active_projects(console, access, url))
    try:
        Remote(url, access.token).get("/api/v1/context", project_id=key.upper())
    except Refused as refused:
        if refused.status == 404:
            return False
        raise
    return True
