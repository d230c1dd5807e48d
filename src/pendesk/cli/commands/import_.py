"""pendesk import: a project from an export of Pendesk, or from another program's tasks."""

import contextlib
import re
from pathlib import Path
from typing import Any

import click

from pendesk.cli.parts.console import Console, as_option, common_options, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally

WARNINGS_SHOWN = 20
HEADER_BYTES = 200
_EXPORT_HEADER = re.compile(rb'"format" ?: ?"pendesk"')
UNCOUNTED = ("project", "person")
PLURALS = {"criterion": "criteria", "commit criterion": "commit criteria", "evidence": "evidence"}


@click.command("import")
@click.option(
    "--in",
    "file",
    metavar="PATH",
    type=click.Path(exists=True, path_type=Path),
    help="An export of Pendesk, or another program's file or folder, which is recognized.",
)
@click.option(
    "--from",
    "program",
    type=click.Choice(["backlog", "taskmaster", "plandesk", "github"]),
    help="The program of PATH: Backlog.md's folder, Task Master's tasks.json, a Plan Desk export, GitHub's issues.",
)
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would be created, and create nothing.")
@click.option("--as-copy", is_flag=True, help="Give everything new ids, if the project already exists here.")
@click.option("--name", help="Another name for the project.")
@click.option("--key", help="Another key for its ref codes, e.g. PEN.")
@click.option("--specs", is_flag=True, help="With --from: a spec for each milestone, tag, goal or parent task.")
@click.option("--take-part", is_flag=True, help="Become a participant of every spec in it.")
@as_option
@common_options
@pass_console
def import_(
    console: Console,
    /,
    file: Path | None,
    program: str | None,
    path: Path | None,
    as_copy: bool,
    specs: bool,
    **options: Any,
) -> None:
    """Import a project. Reads an export of Pendesk or another program's files; all or nothing."""
    if (file is None) == (program is None):
        raise click.UsageError("Use either --in PATH, or --from PROGRAM and its PATH.")
    if (program is None) != (path is None):
        raise click.UsageError("--from and its PATH belong together, e.g. --from backlog ./backlog.")
    if file is not None and not _is_pendesk_export(file):
        program, path, file = _recognize_program(console, file), file, None
    if as_copy and program is not None:
        raise click.UsageError("--as-copy is for exports of Pendesk; with another program's files, ids are new anyway.")
    if specs and program is None:
        raise click.UsageError("--specs is for other programs' files; an export of Pendesk has its specs in it.")
    result = run_locally(
        console, lambda local: _stage_and_import(console, local, file, program, path, as_copy, specs, options)
    )
    console.print_result(result, _format_import_result(result))


def _is_pendesk_export(path: Path) -> bool:
    """By its name where it is damaged: then its reader says what is wrong."""
    if path.is_dir():
        return False
    with path.open("rb") as file:
        return path.suffix == ".jsonl" or _EXPORT_HEADER.search(file.readline(HEADER_BYTES)) is not None


def _recognize_program(console: Console, path: Path) -> str:
    from pendesk.domain.exchange.recognize import NAMES, recognize_program
    from pendesk.operations.exchange.source_files import read_import_files_from_path

    program = recognize_program(read_import_files_from_path(path))
    console.info(f"Recognized {NAMES[program]}.")
    return program


async def _stage_and_import(
    console: Console,
    local: LocalClient,
    pendesk_file: Path | None,
    program: str | None,
    third_party_path: Path | None,
    as_copy: bool,
    as_specs: bool,
    options: dict[str, Any],
) -> dict[str, Any]:
    import msgspec

    from pendesk.operations.exchange.import_flow import run_import
    from pendesk.operations.operation import encode_json

    args = {name: value for name, value in options.items() if value not in (None, False)}
    if pendesk_file is not None:
        stage = _pendesk_staging_callback(console, local, pendesk_file, as_copy, options["dry_run"])
    else:
        assert program is not None
        assert third_party_path is not None
        stage = _third_party_staging_callback(console, local, program, third_party_path, as_specs)
    with contextlib.ExitStack() as saving:

        def staged() -> Any:
            staged_import = stage()
            saving.enter_context(console.progress("Saving"))
            return staged_import

        output = await run_import(local.service.dispatcher, local.actor, staged, **args)
    result: dict[str, Any] = msgspec.json.decode(encode_json(output))
    return result


def _pendesk_staging_callback(console: Console, local: LocalClient, file: Path, as_copy: bool, dry_run: bool) -> Any:
    from pendesk.operations.exchange.staging import stage_import_from_export

    def stage() -> Any:
        size = file.stat().st_size
        with file.open("rb") as source, console.progress("Reading", size) as progress:
            return stage_import_from_export(
                local.service.files,
                source,
                as_copy=as_copy,
                keep_attachments=not dry_run,
                max_attachment_bytes=local.service.installation.limits.attachment_bytes,
                progress=progress,
            )

    return stage


def _third_party_staging_callback(
    console: Console, local: LocalClient, source_program: str, path: Path, as_specs: bool
) -> Any:
    from pendesk import clock
    from pendesk.operations.exchange.source_files import read_import_files_from_path
    from pendesk.operations.exchange.third_party import parse_third_party_files, stage_import_from_plan

    def stage() -> Any:
        with console.progress("Reading"):
            files = read_import_files_from_path(path)
            plan = parse_third_party_files(source_program, files, as_specs=as_specs)
            return stage_import_from_plan(local.service.files, plan, source_program, local.actor, clock.now_us())

    return stage


def _format_count(count: int, word: str) -> str:
    word = re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", word)
    return f"{count} {word if count == 1 else PLURALS.get(word, f'{word}s')}"


def _format_import_result(result: dict[str, Any]) -> str:
    counts = ", ".join(_format_count(count, word) for word, count in result["counts"].items() if word not in UNCOUNTED)
    verb = "Would create" if result["dryRun"] else "Created"
    lines = [f"{verb} {result['name']} ({result['key']}): {counts or 'empty'}."]
    if result.get("namesOnly"):
        lines.append(f"Without an account here, stored as names: {', '.join(result['namesOnly'])}.")
    warnings = result.get("warnings", [])
    lines += [f"Warning: {warning}" for warning in warnings[:WARNINGS_SHOWN]]
    if len(warnings) > WARNINGS_SHOWN:
        lines.append(f"... and {len(warnings) - WARNINGS_SHOWN} more warnings; --json lists them all.")
    return "\n".join(lines)
