"""pendesk disconnect: remove from a repository exactly what connect wrote."""

import sys
from pathlib import Path

import click

from pendesk.cli.binding import bind, record
from pendesk.cli.binding.snippets import CannotWrite
from pendesk.cli.binding.tree import FileTransaction, remove_empty_folders
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.local import run_locally


@click.command()
@click.option("--repo", default=".", show_default=True, metavar="DIR", help="The repository.")
@click.option("--revoke/--keep-token", default=None, help="Revoke the token as well [asks].")
@common_options
@pass_console
def disconnect(console: Console, repo: str, revoke: bool | None) -> None:
    """Disconnect a repository. Its files are as before; your own changes since then stay."""
    root = Path(repo).resolve()
    binding = record.read_binding(root)
    if binding is None:
        nearest = record.find_connected_repo(root)
        hint = f" {nearest} is: name it with --repo." if nearest else " Nothing was changed."
        raise CommandError(f"{root} is not connected.{hint}")
    local_record = record.read_local_connection_record(root)
    tree = FileTransaction(root, console.umask)
    try:
        bind.remove_inserted_snippets(tree, binding)
        changed_by_user = bind.remove_pendesk_files_and_list_kept(tree, binding)
        changed = sorted([change.path for change in tree.pending_changes()] + [link.path for link in binding.links])
        bind.remove_symlinks(tree, binding)
        tree.commit(record.CONFIG)
    except CannotWrite as error:
        raise CommandError(str(error)) from None
    revoked = _revoke_token_if_confirmed(console, local_record, revoke)
    for path in (record.TOKEN, record.LOCAL):
        (root / path).unlink(missing_ok=True)
    remove_empty_folders(root, [*binding.folders, record.FOLDER])
    for path in changed_by_user:
        console.warn(f"you have edited {path}, so it was not removed.")
    result = {"repo": str(root), "changed": changed, "kept": changed_by_user, "tokenRevoked": revoked}
    console.print_confirmation(result, "\n".join([f"Disconnected {root}.", *(f"  {path}" for path in changed)]))


def _revoke_token_if_confirmed(console: Console, local_record: dict[str, str | None], revoke: bool | None) -> bool:
    token_id, data = local_record.get("tokenId"), local_record.get("data")
    if not token_id or not data or not Path(data).is_dir():
        return False
    if revoke is None and sys.stdin.isatty():
        revoke = click.confirm("Revoke its token as well?", default=True, err=True)
    if not revoke:
        console.warn(f"its token still works. Revoke it with: pendesk token revoke {token_id} --data {data}")
        return False
    console.data = data
    run_locally(console, lambda local: local.call("revoke_token", token_id=token_id))
    return True
