"""pendesk export: a whole project as one file."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import click

from pendesk.cli.parts.console import Console, Failure, acting_as, everywhere, pass_console
from pendesk.cli.parts.local import Local, at_desk


@click.command()
@click.option("--project", required=True, help="Its key or id.")
@click.option("--out", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@acting_as
@everywhere
@pass_console
def export(console: Console, project: str, out: Path) -> None:
    """Write a project into one file: everything in it, its attachments and its history, and no secret.

    The same project gives the same bytes, so the file can be committed and compared.
    """
    with console.progress(f"Exporting {project}"):
        told = at_desk(console, lambda local: _export(local, project, out))
    actions, size = told["counts"].get("action", 0), told["sizeBytes"]
    console.answer(told, f"Wrote {project} to {out}: {actions} actions, {size:,} bytes.")


async def _export(local: Local, project: str, out: Path) -> dict[str, Any]:
    if not out.absolute().parent.is_dir():
        raise Failure(f"There is no folder {out.absolute().parent}. Make it, or write somewhere else.")
    made = await local.call("export_project", project_id=project)
    key = made.pop("receipt").partition(".")[0]
    files = local.service.files
    handle = files.open(key)
    try:
        _place(handle, out)
    finally:
        files.remove(key)
    return {**made, "file": str(out)}


def _place(handle: int, out: Path) -> None:
    """Under its name only when it is whole: what was there before stays until then."""
    with os.fdopen(handle, "rb") as source:
        draft, path = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}.")
        try:
            with os.fdopen(draft, "wb") as target:
                shutil.copyfileobj(source, target)
            os.replace(path, out)
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
