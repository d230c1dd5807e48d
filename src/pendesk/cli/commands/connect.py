"""pendesk connect: bind a repository to a project, so that its agents find the work."""

import difflib
import sys
from pathlib import Path
from typing import Any

import click

from pendesk.cli.binding import clients, plan, record
from pendesk.cli.binding.parts import CannotWrite
from pendesk.cli.binding.place import shadowing, token_would_be_taken, unfit
from pendesk.cli.binding.record import Binding
from pendesk.cli.binding.tree import Tree, remove_empty
from pendesk.cli.parts.console import Console, Failure, acting_as, everywhere, pass_console
from pendesk.cli.parts.project_choice import choose_project
from pendesk.cli.parts.remote import Remote
from pendesk.cli.parts.server_url import answers, choose_url, is_plain
from pendesk.cli.parts.token_source import Access, make_token, obtain
from pendesk.domain.token import SECRET

OPTIONS = ("hooks", "unattended")


@click.command()
@click.option("--repo", default=".", show_default=True, metavar="DIR", help="The repository.")
@click.option("--project", metavar="KEY", help="The project [the only one].")
@click.option("--url", metavar="URL", help="The server [the one that runs here].")
@click.option("--agent", "agents", multiple=True, type=click.Choice([*clients.AGENTS, "all"]), help="[those found]")
@click.option("--name", metavar="NAME", help="What clients call the server [pendesk].")
@click.option(
    "--hooks/--no-hooks", default=None, help="Let Claude Code hear `pendesk context` when a session starts [no]."
)
@click.option("--unattended/--attended", default=None, help="Let Claude Code use the server without asking once [no].")
@click.option("--token-stdin", is_flag=True, help="Read the token from stdin.")
@click.option("--print", "dry", is_flag=True, help="Only show what would be written.")
@acting_as
@everywhere
@pass_console
def connect(console: Console, /, repo: str, dry: bool, token_stdin: bool, **asked: Any) -> None:
    """Bind a repository: its agents find the server, the project and how to work. Safe to run again."""
    root = Path(repo).resolve()
    wrong = unfit(root, Path.home())
    if wrong is not None:
        raise Failure(wrong)
    former = record.read_binding(root)
    url = choose_url(console, asked["url"], former and former.url, record.agreed_url(root))
    if not answers(url):
        raise Failure(f"{url} does not answer. Start it with `pendesk serve`, or name another with --url.")
    given = sys.stdin.read().strip() if token_stdin else None
    access = obtain(console, root, url, given)
    wanted = _wanted(former, url, asked)
    wanted = wanted._replace(project=choose_project(console, access, url, asked["project"], wanted.project))
    tree = Tree(root, console.umask)
    try:
        bound, left = plan.bind(tree, wanted, former)
        changed = [change.path for change in tree.changes()]
        if dry:
            _show(console, tree, bound, access)
            return
        _check_secrecy(tree)
        access = access if access.token else make_token(console, root, access)
        tools = _write(tree, bound, access)
    except CannotWrite as error:
        raise Failure(str(error)) from None
    _warn(console, root, bound, left)
    _tell(console, root, bound, changed, tools)


def _wanted(former: Binding | None, url: str, asked: dict[str, Any]) -> Binding:
    """What is not said stays as it was; an agent that is named is added to those from before."""
    named = set(clients.AGENTS if "all" in asked["agents"] else asked["agents"]) | set(former.agents if former else ())
    agents = tuple(agent for agent in clients.AGENTS if agent in named) or clients.found_agents()
    kept = former.options if former else ()
    options = tuple(one for one in OPTIONS if (one in kept if asked[one] is None else asked[one]))
    name = asked["name"] or (former.name if former else "pendesk")
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise Failure("A server's name has letters, digits, - and _ only.")
    return Binding(url, former.project if former else None, agents, name, options)


def _check_secrecy(tree: Tree) -> None:
    """The ignore file first: no moment must be when git would take the token."""
    ignore = tree.root / record.IGNORE
    new = not ignore.exists()
    if new:
        tree.make_folder(ignore.parent)
        ignore.write_text(record.IGNORED)
        ignore.chmod(0o666 & ~tree.umask)
    taken = token_would_be_taken(tree.root)
    if taken is not None:
        if new:
            ignore.unlink()
            remove_empty(tree.root, [record.FOLDER])
        raise Failure(taken)


def _write(tree: Tree, bound: Binding, access: Access) -> int:
    tree.commit(record.CONFIG)
    plan.write_links(tree, bound)
    access.keep(tree.root, bound.url)
    return len(Remote(bound.url, access.token).list_tools())


def _show(console: Console, tree: Tree, bound: Binding, access: Access) -> None:
    diffs = []
    for path, before, after in tree.changes():
        old, new = ((text or "").splitlines(keepends=True) for text in (before, after))
        diffs.append("".join(difflib.unified_diff(old, new, path if before is not None else "/dev/null", path)))
    links = [f"{link.path} -> {link.target}" for link in bound.links]
    text = "\n".join([*diffs, *links, f"{record.TOKEN}: {access.told} (never shown)", "Nothing was written."])
    told = {"dryRun": True, "diff": [SECRET.sub("(redacted)", diff) for diff in diffs], "links": links}
    console.answer(told, SECRET.sub("(redacted)", text))


def _warn(console: Console, root: Path, bound: Binding, left: list[str]) -> None:
    for each in left:
        console.warn(each)
    above = shadowing(root, bound.name)
    if above is not None:
        console.warn(f"{above} names a server {bound.name!r} too, and clients may take that one. Remove one of them.")
    if is_plain(bound.url):
        console.warn(f"{bound.url} is not encrypted: on the way there others can read the token. Use https.")


def _tell(console: Console, root: Path, bound: Binding, changed: list[str], tools: int) -> None:
    paths = sorted([*changed, *(link.path for link in bound.links)])
    told = {
        "repo": str(root),
        "url": bound.url,
        "project": bound.project,
        "agents": list(bound.agents),
        "tools": tools,
        "written": paths,
    }
    project = f"project {bound.project}" if bound.project else "no project yet"
    lines = [f"Connected {root} to {project} at {bound.url}: {tools} tools answer.", *(f"  {path}" for path in paths)]
    lines += [f"Next: {_NEXT[agent]}" for agent in bound.agents]
    lines += [_OFFER] if "claude" in bound.agents and "hooks" not in bound.options else []
    console.answer(told, "\n".join([*lines, 'Ask it: "What can you build from Pendesk?"']))


_OFFER = "If you like: pendesk connect --hooks   (each session of Claude Code then begins with where the work stands)"
_NEXT = {
    "claude": "claude       (start it here; allow the server once, when it asks)",
    "codex": "codex        (start it here; trust the folder once, when it asks)",
    "cursor": 'Cursor: start it with PENDESK_MCP_TOKEN="$(cat .pendesk/token)" in its environment',
    "vscode": "VS Code: start the server from .vscode/mcp.json; it asks once for the token in .pendesk/token",
}
