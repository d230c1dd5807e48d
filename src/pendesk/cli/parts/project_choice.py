"""Which project a repository belongs to: the one that is named, the only one, or the one that a person picks."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import run_locally
from pendesk.cli.parts.remote import CallRefused, RemoteClient
from pendesk.cli.parts.token_source import TokenSource
from pendesk.domain.access import Scope


def choose_project_key(
    console: Console, token_source: TokenSource, url: str, project_option: str | None, bound_project: str | None
) -> str | None:
    key = project_option or bound_project
    if key is not None and _project_exists(console, token_source, url, key):
        return key.upper()
    if project_option is not None:
        keys = ", ".join(project["key"] for project in _list_active_projects(console, token_source, url)) or "none yet"
        raise CommandError(f"You can see no project {project_option!r} at {url}. Available: {keys}.")
    projects = _list_active_projects(console, token_source, url)
    if len(projects) <= 1:
        return str(projects[0]["key"]) if projects else None
    return _prompt_for_project_key(projects)


def _prompt_for_project_key(projects: list[dict[str, Any]]) -> str:
    keys = [project["key"] for project in projects]
    listed = "\n".join(f"  {project['key']:<10} {project['name']}" for project in projects)
    if not sys.stdin.isatty():
        raise CommandError(f"There are several projects. Choose one with --project:\n{listed}")
    click.echo(f"There are several projects:\n{listed}", err=True)
    return str(click.prompt("Project of this repository", type=click.Choice(keys, case_sensitive=False), err=True))


def _list_active_projects(console: Console, token_source: TokenSource, url: str) -> list[dict[str, Any]]:
    """As the owner of the data folder sees them, else as the token does."""
    if token_source.data_folder is not None:
        result = run_locally(console, lambda local: local.call_all_pages("list_projects", "projects"))
    else:
        remote = RemoteClient(url, token_source.token)
        result = remote.get("/api/v1/context")
        if Scope.DESK_READ in result["scopes"]:  # the others are told only of projects with work to claim
            result = remote.get("/api/v1/projects")
    return [project for project in result["projects"] if project["state"] == "active"]


def _project_exists(console: Console, token_source: TokenSource, url: str, key: str) -> bool:
    if token_source.token is None:
        return any(key.upper() == project["key"] for project in _list_active_projects(console, token_source, url))
    try:
        RemoteClient(url, token_source.token).get("/api/v1/context", project_id=key.upper())
    except CallRefused as refused:
        if refused.http_status == 404:
            return False
        raise
    return True
