"""pendesk connect: connect a repository to a project, so that its agents find the work."""

import difflib
import sys
from pathlib import Path
from typing import Any

import click

from pendesk.cli.binding import bind, clients, record
from pendesk.cli.binding.record import RepoBinding
from pendesk.cli.binding.repository_checks import (
    find_parent_mcp_config_with_server,
    reason_not_bindable,
    reason_token_would_be_committed,
)
from pendesk.cli.binding.snippets import CannotWrite
from pendesk.cli.binding.tree import FileTransaction, remove_empty_folders
from pendesk.cli.parts.console import CommandError, Console, as_option, common_options, pass_console
from pendesk.cli.parts.project_choice import choose_project_key
from pendesk.cli.parts.remote import RemoteClient
from pendesk.cli.parts.server_url import choose_server_url, is_reachable, is_unencrypted_remote
from pendesk.cli.parts.token_source import (
    TokenSource,
    create_agent_token_for_source,
    find_token_source,
    revoke_replaced_token,
)
from pendesk.cli.parts.tool_choice import ChosenTools, choose_tools, tools_option
from pendesk.domain.access import TOOL_SETS, Scope, describe_scopes
from pendesk.domain.token import SECRET


@click.command()
@click.option("--repo", default=".", show_default=True, metavar="DIR", help="The repository.")
@click.option("--project", metavar="KEY", help="The project [the only one].")
@click.option("--url", metavar="URL", help="The server [the one on this machine].")
@click.option(
    "--agent",
    "agents",
    multiple=True,
    type=click.Choice([*clients.AGENTS, "all"]),
    help="The agents [those installed].",
)
@tools_option("What the agents are for [asked in a terminal; else by what the project has].")
@click.option("--name", metavar="NAME", help="What clients call the server [pendesk].")
@click.option(
    "--hooks/--no-hooks",
    default=None,
    help="Let Claude Code and Codex report what they do, and start every Claude Code session with `pendesk context` "
    "[yes].",
)
@click.option("--unattended/--attended", default=None, help="Let Claude Code use the server without asking you [no].")
@click.option("--token-stdin", is_flag=True, help="Read the token from stdin.")
@click.option("--print", "dry_run", is_flag=True, help="Show what would be written, and write nothing.")
@as_option
@common_options
@pass_console
def connect(console: Console, /, repo: str, dry_run: bool, token_stdin: bool, **options: Any) -> None:
    """Connect a repository to a project. Its agents find the server and the conventions. Safe to run again."""
    root = Path(repo).resolve()
    problem = reason_not_bindable(root, Path.home())
    if problem is not None:
        raise CommandError(problem)
    previous = record.read_binding(root)
    url = choose_server_url(
        console, options["url"], previous and previous.url, record.read_user_confirmed_server_url(root)
    )
    if not is_reachable(url):
        raise CommandError(f"{url} does not answer. Start it with `pendesk serve`, or name another server with --url.")
    token = sys.stdin.read().strip() if token_stdin else None
    source = find_token_source(console, root, url, token)
    binding = _merge_options_into_binding(previous, url, options)
    binding = binding._replace(project=choose_project_key(console, source, url, options["project"], binding.project))
    tools = choose_tools(console, source, url, binding.project, options["tools"])
    tree = FileTransaction(root, console.umask)
    try:
        bound, skipped = bind.stage_binding_and_list_skip_reasons(tree, binding, previous)
        changed = [change.path for change in tree.pending_changes()]
        if dry_run:
            _print_dry_run(console, tree, bound, tools)
            return
        _ensure_token_git_ignored(tree)
        source = tools.source
        if source.token is None and tools.tool_set is not None:
            source = create_agent_token_for_source(console, root, source, tools.tool_set)
        tool_count = _write_binding_and_count_tools(tree, bound, previous, source)
        revoke_replaced_token(console, source)
    except CannotWrite as error:
        raise CommandError(str(error)) from None
    _print_warnings(console, root, bound, skipped)
    _print_result(console, root, bound, changed, tools, tool_count)


def _merge_options_into_binding(previous: RepoBinding | None, url: str, options: dict[str, Any]) -> RepoBinding:
    """Options that are not set stay as they were; agents are added to the previous ones."""
    chosen = set(clients.AGENTS if "all" in options["agents"] else options["agents"])
    chosen |= set(previous.agents if previous else ())
    agents = tuple(agent for agent in clients.AGENTS if agent in chosen) or clients.installed_agent_names_or_claude()
    name = options["name"] or (previous.name if previous else "pendesk")
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise CommandError("A server's name may contain letters, digits, - and _ only. Choose another with --name.")
    chosen_options = _merge_recorded_options(previous.options if previous else (), options)
    return RepoBinding(url, previous.project if previous else None, agents, name, chosen_options)


def _merge_recorded_options(previous: tuple[str, ...], options: dict[str, Any]) -> tuple[str, ...]:
    without_hooks = clients.NO_HOOKS in previous if options["hooks"] is None else not options["hooks"]
    unattended = clients.UNATTENDED in previous if options["unattended"] is None else options["unattended"]
    return (*([clients.NO_HOOKS] if without_hooks else []), *([clients.UNATTENDED] if unattended else []))


def _ensure_token_git_ignored(files: FileTransaction) -> None:
    """The ignore file comes first: git must not see the token at any moment."""
    ignore = files.root / record.IGNORE
    is_new = not ignore.exists()
    if is_new:
        files.create_folder_on_disk(ignore.parent)
        ignore.write_text(record.IGNORE_TEXT)
        ignore.chmod(0o666 & ~files.umask)
    problem = reason_token_would_be_committed(files.root)
    if problem is not None:
        if is_new:
            ignore.unlink()
            remove_empty_folders(files.root, [record.FOLDER])
        raise CommandError(problem)


def _write_binding_and_count_tools(
    files: FileTransaction, binding: RepoBinding, previous: RepoBinding | None, token_source: TokenSource
) -> int:
    files.commit(record.CONFIG)
    bind.write_symlinks(files, binding, previous)
    token_source.save_token_and_url_to_repo(files.root, binding.url)
    return len(RemoteClient(binding.url, token_source.token).list_tools())


def _print_dry_run(console: Console, files: FileTransaction, binding: RepoBinding, tools: ChosenTools) -> None:
    diffs = []
    for path, before, after in files.pending_changes():
        old, new = ((text or "").splitlines(keepends=True) for text in (before, after))
        diffs.append("".join(difflib.unified_diff(old, new, path if before is not None else "/dev/null", path)))
    links = [f"{link.path} -> {link.target}" for link in binding.links]
    token = f"{record.TOKEN}: {tools.source.origin} for {describe_scopes(tools.scopes)} (not shown)"
    text = "\n".join([*diffs, *links, token, "Nothing was written."])
    result = {"dryRun": True, "diff": [SECRET.sub("(redacted)", diff) for diff in diffs], "links": links}
    console.print_result(result, SECRET.sub("(redacted)", text))


def _print_warnings(console: Console, root: Path, binding: RepoBinding, skip_warnings: list[str]) -> None:
    for message in skip_warnings:
        console.warn(message)
    above = find_parent_mcp_config_with_server(root, binding.name)
    if above is not None:
        console.warn(f"{above} has a server {binding.name!r} too, and clients may use that one. Remove one of them.")
    if is_unencrypted_remote(binding.url):
        console.warn(f"{binding.url} is not encrypted: others on the network can read the token. Use https.")


def _print_result(
    console: Console,
    root: Path,
    binding: RepoBinding,
    changed_paths: list[str],
    tools: ChosenTools,
    tool_count: int,
) -> None:
    paths = sorted([*changed_paths, *(link.path for link in binding.links)])
    result: dict[str, Any] = {
        "repo": str(root),
        "url": binding.url,
        "project": binding.project,
        "agents": list(binding.agents),
        "tools": tool_count,
        "toolSet": tools.tool_set.name if tools.tool_set else None,
        "scopes": tools.scopes,
        "hooks": [agent for agent in binding.agents if clients.session_hook_snippets(binding, agent)],
        "written": paths,
    }
    project = f"project {binding.project}" if binding.project else "no project yet"
    lines = [
        f"Connected {root} to {project} at {binding.url}: {tool_count} tools available.",
        *(f"  {path}" for path in paths),
        tools.tool_set.title if tools.tool_set else f"Scopes: {' '.join(tools.scopes)}",
    ]
    if tools.replaced is not None:
        lines.append(f"  (the token was for {tools.replaced}; a new one has replaced it)")
    others = "|".join(name for name in TOOL_SETS if tools.tool_set is None or name != tools.tool_set.name)
    lines.append(f"  (change it with: pendesk connect --tools {others})")
    lines += [f"Next: {_NEXT_STEPS[agent]}" for agent in binding.agents]
    lines += [_CODEX_HOOK_TRUST] if "codex" in result["hooks"] else []
    question = "What can you build from Pendesk?" if Scope.SPECS_READ in tools.scopes else "What is the next task?"
    console.print_confirmation(result, "\n".join([*lines, f'Ask it: "{question}"']))


_CODEX_HOOK_TRUST = (
    'Codex skips hooks that you have not trusted, in silence: choose "Trust all and continue" when it asks about them.'
)
_NEXT_STEPS = {
    "claude": "claude       (start it here; approve the server when it asks)",
    "codex": "codex        (start it here; trust the folder when it asks)",
    "cursor": 'Cursor: start it with PENDESK_MCP_TOKEN="$(cat .pendesk/token)" in its environment',
    "vscode": "VS Code: start the server from .vscode/mcp.json; enter the token in .pendesk/token when it asks",
}
