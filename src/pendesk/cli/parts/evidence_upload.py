"""pendesk work attach_evidence: the one building command that sends a file, so it goes over REST and not over MCP."""

import mimetypes
from pathlib import Path
from urllib.parse import quote

import click

from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.target_server import find_target_server, repo_option

UNKNOWN_TYPE = "application/octet-stream"


@click.command("attach_evidence", short_help="Attach evidence to a criterion")
@click.argument("action_id")
@click.option("--criterion-id", required=True, help="The criterion's id from the brief.")
@click.option(
    "--file",
    "path",
    required=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="A log, a picture or another file.",
)
@click.option("--media-type", help="Its type, if the name does not tell, e.g. text/plain.")
@repo_option
@common_options
@pass_console
def attach_evidence(
    console: Console, action_id: str, criterion_id: str, path: Path, media_type: str | None, repo: str | None
) -> None:
    """Attach a file to a criterion of the action you hold. The reviewer sees it as self-reported evidence."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    address = f"/api/v1/actions/{quote(action_id, safe='')}/criteria/{quote(criterion_id, safe='')}/attachments"
    guessed = media_type or mimetypes.guess_type(path.name)[0] or UNKNOWN_TYPE
    attachment = find_target_server(repo).remote.post_file(address, content, guessed, name=path.name)
    console.print_result(attachment, f"Attached {attachment['name']} ({attachment['sizeBytes']} bytes).")
