"""pendesk export: a project as one file."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console, as_option, common_options, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally


@click.command()
@click.option("--project", required=True, help="Key or id of the project.")
@click.option("--out", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@as_option
@common_options
@pass_console
def export(console: Console, project: str, out: Path) -> None:
    """Export a project to one file. It has all content, attachments and history, and no secrets.

    The same project always gives the same bytes, so the file can be committed and compared.
    """
    with console.progress(f"Exporting {project}"):
        result = run_locally(console, lambda local: _export_project_to_file(local, project, out))
    actions, size = result["counts"].get("action", 0), result["sizeBytes"]
    console.print_result(result, f"Exported {project} to {out}: {actions} actions, {size:,} bytes.")


async def _export_project_to_file(local: LocalClient, project: str, out: Path) -> dict[str, Any]:
    if not out.absolute().parent.is_dir():
        raise CommandError(f"The folder {out.absolute().parent} does not exist. Create it, or choose another.")
    export = await local.call("export_project", project_id=project)
    key = export.pop("receipt").partition(".")[0]
    files = local.service.files
    handle = files.open_fd(key)
    try:
        _write_export(handle, out)
    finally:
        files.remove(key)
    return {**export, "file": str(out)}


def _write_export(source_fd: int, out: Path) -> None:
    """Under its name only when it is complete: an existing file stays until then."""
    with os.fdopen(source_fd, "rb") as source:
        draft, path = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}.")
        try:
            with os.fdopen(draft, "wb") as target:
                shutil.copyfileobj(source, target)
            os.replace(path, out)
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
