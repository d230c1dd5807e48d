"""pendesk disconnect: take out of a repository exactly what connect put in."""

import sys
from pathlib import Path

import click

from pendesk.cli.binding import plan, record
from pendesk.cli.binding.parts import CannotWrite
from pendesk.cli.binding.tree import Tree, remove_empty
from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.local import at_desk


@click.command()
@click.option("--repo", default=".", show_default=True, metavar="DIR", help="The repository.")
@click.option("--revoke/--keep-token", default=None, help="Revoke the token too [asks].")
@everywhere
@pass_console
def disconnect(console: Console, repo: str, revoke: bool | None) -> None:
    """Undo connect: files are as they were before; what you changed since stays."""
    root = Path(repo).resolve()
    binding = record.read_binding(root)
    if binding is None:
        nearest = record.find_root(root)
        hint = f" {nearest} is: give it with --repo." if nearest else ""
        raise Failure(f"{root} is not connected.{hint} Nothing was changed.")
    local = record.read_local(root)
    tree = Tree(root, console.umask)
    try:
        plan.unbind(tree, binding)
        kept = plan.remove_own(tree, binding)
        changed = sorted([change.path for change in tree.changes()] + [link.path for link in binding.links])
        plan.remove_links(tree, binding)
        tree.commit(record.CONFIG)
    except CannotWrite as error:
        raise Failure(str(error)) from None
    revoked = _revoke(console, local, revoke)
    for path in (record.TOKEN, record.LOCAL):
        (root / path).unlink(missing_ok=True)
    remove_empty(root, [*binding.folders, record.FOLDER])
    for path in kept:
        console.warn(f"{path} was changed by hand and is kept.")
    told = {"repo": str(root), "changed": changed, "kept": kept, "tokenRevoked": revoked}
    console.answer(told, "\n".join([f"Disconnected {root}.", *(f"  {path}" for path in changed)]))


def _revoke(console: Console, local: dict[str, str | None], wanted: bool | None) -> bool:
    token_id, data = local.get("tokenId"), local.get("data")
    if not token_id or not data or not Path(data).is_dir():
        return False
    if wanted is None and sys.stdin.isatty():
        wanted = click.confirm("Revoke its token too?", default=True, err=True)
    if not wanted:
        console.warn(f"its token still works. To end it: pendesk token revoke {token_id} --data {data}")
        return False
    console.data = data
    at_desk(console, lambda desk: desk.call("revoke_token", token_id=token_id))
    return True
