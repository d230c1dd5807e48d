"""pendesk change: what a branch does to the code, sent to the server for its reviewer."""

from pathlib import Path

import click

from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.remote import UPLOAD_TIMEOUT_S
from pendesk.cli.parts.result_text import format_result_lines
from pendesk.cli.parts.target_server import TargetServer, find_target_server, repo_option


@click.group()
@common_options
def change() -> None:
    """Send the change of an action to its reviewer."""


@change.command("push")
@click.argument("action", required=False)
@click.option(
    "--base", metavar="COMMIT", help="Where the work started [where the branch left origin's default branch]."
)
@click.option(
    "--without",
    multiple=True,
    metavar="PATH",
    help="Push only the name of this file, or of all in this folder. May be repeated.",
)
@repo_option
@common_options
@pass_console
def push(console: Console, action: str | None, base: str | None, without: tuple[str, ...], repo: str | None) -> None:
    """Push the committed change of the branch, up to HEAD. ACTION: the action you hold.

    Pushing again replaces it. The reviewer sees it once its HEAD is submitted. Refused where added lines look like
    secrets; the lines of files that git ignores are never pushed.
    """
    from pendesk.cli.parts.change_push import push_change, summary_line
    from pendesk.cli.parts.change_reading import Choice
    from pendesk.cli.parts.git import open_repository

    git = open_repository(Path(repo or "."))
    target = find_target_server(repo, UPLOAD_TIMEOUT_S)
    result = push_change(console, target, git, action or _held_action(target), Choice(base, without))
    for_agents = {name: result.get(name) for name in ("overlaps", "deviations", "advisory", "next_step", "news")}
    console.print_result(result, summary_line(result), format_result_lines(for_agents))


def _held_action(target: TargetServer) -> str:
    context = target.remote.get("/api/v1/context", project_id=target.project)
    held = [action["refCode"] for action in context["held"]]
    if len(held) == 1:
        return str(held[0])
    possible = [action["refCode"] for action in context.get("mayHold", ())]
    if held or possible:
        who = "You hold" if held else "You or another terminal of yours holds"
        refs = held or possible
        raise CommandError(f"{who} {', '.join(refs)}. Name the action: pendesk change push {refs[0]}")
    raise CommandError("You hold no action here. Name it, such as pendesk change push PEN-12, or claim it first.")
