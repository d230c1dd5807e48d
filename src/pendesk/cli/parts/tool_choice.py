"""What an agent is for: the options of commands that give it tools, and the choice that `connect` proposes."""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import LocalClient, run_locally
from pendesk.cli.parts.remote import RemoteClient
from pendesk.cli.parts.token_source import EXISTING, TokenSource
from pendesk.domain.access import (
    DEFAULT_TOOL_SET,
    TOKEN_SCOPES,
    TOOL_SETS,
    Scope,
    ToolSet,
    describe_scopes,
    find_tool_set,
)

F = TypeVar("F", bound=Callable[..., Any])

TOOLS_HELP = "; ".join(f"{name}: {tool_set.purpose}" for name, tool_set in TOOL_SETS.items())


def tools_option(description: str) -> Callable[[F], F]:
    return click.option("--tools", type=click.Choice(list(TOOL_SETS)), help=f"{description} {TOOLS_HELP}.")


scopes_option = click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([scope.value for scope in Scope if scope in TOKEN_SCOPES]),
    help="Exact scopes, instead of --tools.",
)


class ChosenTools(NamedTuple):
    """tool_set is None where a token has scopes of its own. replaced: what the token was for that is replaced."""

    source: TokenSource
    tool_set: ToolSet | None
    scopes: list[str]
    replaced: str | None = None


def choose_tools(
    console: Console, source: TokenSource, url: str, project_key: str | None, option: str | None
) -> ChosenTools:
    """The choice for a token that is to be created; else what the token has, if the option agrees."""
    chosen = TOOL_SETS[option] if option else None
    if source.token is None:
        proposed = run_locally(console, lambda local: propose_tool_set(local, project_key))
        return _tools_of_new_token(source, chosen or ask_for_tool_set(proposed))
    scopes = RemoteClient(url, source.token).get("/api/v1/context")["scopes"]
    if chosen is None or chosen.scopes == set(scopes):
        return ChosenTools(source, find_tool_set(scopes), scopes)
    if source.origin != EXISTING or source.data_folder is None:
        raise CommandError(_cannot_change_message(source, scopes, chosen, url))
    new = _tools_of_new_token(source._replace(token=None, replaced_token_id=source.token_id), chosen)
    return new._replace(replaced=describe_scopes(scopes))


def _tools_of_new_token(source: TokenSource, tool_set: ToolSet) -> ChosenTools:
    return ChosenTools(source._replace(origin="a new token"), tool_set, tool_set.scope_text.split())


def _cannot_change_message(source: TokenSource, scopes: list[str], chosen: ToolSet, url: str) -> str:
    problem = f"{source.origin[0].upper()}{source.origin[1:]} is for {describe_scopes(scopes)}, not for {chosen.name}."
    if not source.in_file:
        return f"{problem} Run `pendesk login --url {url} --tools {chosen.name}` first."
    return f"{problem} Create one for {chosen.name} at {url}/settings/mcp and pipe it in with --token-stdin."


async def propose_tool_set(local: LocalClient, project_key: str | None) -> ToolSet:
    """Build where something is published, plan where there are only tasks."""
    if project_key is None:
        return TOOL_SETS[DEFAULT_TOOL_SET]
    specs = (await local.call_all_pages("list_specs", "specs", project_id=project_key))["specs"]
    if specs:
        return TOOL_SETS["build"]
    project = await local.call("get_project", project_id=project_key)
    return TOOL_SETS["plan" if any(project["counts"].values()) else DEFAULT_TOOL_SET]


def ask_for_tool_set(proposed: ToolSet) -> ToolSet:
    """In a terminal the person decides; elsewhere the proposal stands."""
    if not sys.stdin.isatty():
        return proposed
    listed = "\n".join(f"  {name:<6} {tool_set.title}" for name, tool_set in TOOL_SETS.items())
    click.echo(f"What is the agent for?\n{listed}", err=True)
    name = click.prompt("Tools", type=click.Choice(list(TOOL_SETS)), default=proposed.name, err=True)
    return TOOL_SETS[name]
