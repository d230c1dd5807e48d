"""pendesk import: a project from a file: an export of Pendesk, or another program's tasks."""

import contextlib
import re
from pathlib import Path
from typing import Any

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console
from pendesk.cli.parts.local import Local, at_desk

WARNINGS_SHOWN = 20
UNCOUNTED = ("project", "person")
PLURALS = {"criterion": "criteria", "commit criterion": "commit criteria", "evidence": "evidence"}


@click.command("import")
@click.option("--in", "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--from",
    "program",
    type=click.Choice(["backlog", "taskmaster", "plandesk", "github"]),
    help="Whose files PATH holds: Backlog.md's folder, Task Master's tasks.json, a Plan Desk export, GitHub's issues.",
)
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would be made, and make nothing.")
@click.option("--as-copy", is_flag=True, help="Give everything new ids, where the project is here already.")
@click.option("--name", help="Another name for the project.")
@click.option("--key", help="Another key for its ref codes, e.g. PEN.")
@click.option("--take-part", is_flag=True, help="Become a participant of every spec in it.")
@acting_as
@everywhere
@pass_console
def import_(
    console: Console, /, file: Path | None, program: str | None, path: Path | None, as_copy: bool, **asked: Any
) -> None:
    """Make a project of an export of Pendesk (--in), or of another program's files (--from): all of it or nothing."""
    if (file is None) == (program is None):
        raise click.UsageError("Give either --in FILE, or --from PROGRAM and its PATH.")
    if (program is None) != (path is None):
        raise click.UsageError("--from and its PATH belong together, e.g. --from backlog ./backlog.")
    if as_copy and program is not None:
        raise click.UsageError("--as-copy is for exports of Pendesk; what --from brings has new ids anyway.")
    told = at_desk(console, lambda local: _import(console, local, file, program, path, as_copy, asked))
    console.answer(told, _text(told))


async def _import(
    console: Console,
    local: Local,
    file: Path | None,
    program: str | None,
    path: Path | None,
    as_copy: bool,
    asked: dict[str, Any],
) -> dict[str, Any]:
    import msgspec

    from pendesk.operations.exchange.import_flow import run_import
    from pendesk.operations.operation import encode_json

    given = {name: value for name, value in asked.items() if value not in (None, False)}
    if file is not None:
        stage = _stage_own(console, local, file, as_copy, asked["dry_run"])
    else:
        assert program is not None
        assert path is not None
        stage = _stage_foreign(console, local, program, path)
    with contextlib.ExitStack() as saving:

        def staged() -> Any:
            read = stage()
            saving.enter_context(console.progress("Saving"))
            return read

        answer = await run_import(local.service.dispatcher, local.actor, staged, **given)
    read: dict[str, Any] = msgspec.json.decode(encode_json(answer))
    return read


def _stage_own(console: Console, local: Local, file: Path, as_copy: bool, dry_run: bool) -> Any:
    from pendesk.operations.exchange.staging import stage_export

    def stage() -> Any:
        size = file.stat().st_size
        with file.open("rb") as source, console.progress("Reading", size) as progress:
            return stage_export(
                local.service.files,
                source,
                as_copy=as_copy,
                keep_bytes=not dry_run,
                attachment_bytes=local.service.installation.limits.attachment_bytes,
                progress=progress,
            )

    return stage


def _stage_foreign(console: Console, local: Local, program: str, path: Path) -> Any:
    from pendesk import clock
    from pendesk.operations.exchange.source_files import read_source_files
    from pendesk.operations.exchange.third_party import read_third_party, stage_plan

    def stage() -> Any:
        with console.progress("Reading"):
            plan = read_third_party(program, read_source_files(path))
            return stage_plan(local.service.files, plan, program, local.actor, clock.now())

    return stage


def _counted(count: int, word: str) -> str:
    word = re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", word)
    return f"{count} {word if count == 1 else PLURALS.get(word, f'{word}s')}"


def _text(told: dict[str, Any]) -> str:
    counts = ", ".join(_counted(count, word) for word, count in told["counts"].items() if word not in UNCOUNTED)
    verb = "Would make" if told["dryRun"] else "Made"
    lines = [f"{verb} {told['name']} ({told['key']}): {counts or 'nothing in it'}."]
    if told.get("namesOnly"):
        lines.append(f"Without an account here, kept as names: {', '.join(told['namesOnly'])}.")
    warnings = told.get("warnings", [])
    lines += [f"Warning: {warning}" for warning in warnings[:WARNINGS_SHOWN]]
    if len(warnings) > WARNINGS_SHOWN:
        lines.append(f"... and {len(warnings) - WARNINGS_SHOWN} more warnings; --json lists them all.")
    return "\n".join(lines)
