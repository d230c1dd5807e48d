"""Sends the change of a branch to the server, by itself and before a submission."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from pendesk.cli.parts.change_base import find_head
from pendesk.cli.parts.change_packing import Secret, find_secrets, pack_local_change
from pendesk.cli.parts.change_reading import Choice, LocalChange, list_uncommitted, read_change
from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.git import Git, open_repository
from pendesk.cli.parts.remote import CallRefused, ServerUnreachable
from pendesk.cli.parts.result_text import format_result_lines
from pendesk.cli.parts.target_server import TargetServer
from pendesk.domain.change import Omission
from pendesk.domain.limits import CHANGE_BYTES, CHANGE_FILES

NAMED = 5
SECRETS_NAMED = 20


def push_change(console: Console, target: TargetServer, git: Git, action_id: str, choice: Choice) -> dict[str, Any]:
    """The server's answer, and what of the repository it has not."""
    address = f"/api/v1/actions/{quote(action_id, safe='')}/change"
    known = target.remote.get(address)
    change = read_change(git, choice, known.get("reportedCommits", ()), known.get("comparesWith"))
    secrets = find_secrets(change)
    if secrets:
        raise CommandError(_refusal(secrets))
    answer = target.remote.post_file(address, pack_local_change(git, change), "application/gzip")
    result = {
        **answer,
        "baseSha": change.base.sha,
        "branch": change.branch,
        "sinceSha": change.since_sha,
        "tooLarge": _omitted_paths(change, Omission.TOO_LARGE),
        "leftOut": _omitted_paths(change, Omission.LEFT_OUT),
        "leftOff": change.left_off,
        "notCommitted": list_uncommitted(git),
    }
    for note in _notes(result):
        console.warn(note)
    return result


def summary_line(result: dict[str, Any]) -> str:
    files = "1 file" if result["files"] == 1 else f"{result['files']} files"
    where = f" on {result['branch']}" if result["branch"] else ""
    return (
        f"Pushed the change of {result['refCode']}: {files}, +{result['added']} -{result['removed']}, "
        f"{result['baseSha'][:12]}..{result['headSha'][:12]}{where}."
    )


def push_before_submission(
    console: Console, target: TargetServer, repo: str | None, arguments: dict[str, Any]
) -> dict[str, Any]:
    """The arguments of the submission, with the head that was pushed. Whatever fails, the submission goes on."""
    try:
        git = open_repository(Path(repo or "."))
        head = find_head(git)
    except CommandError:
        return arguments  # there is no repository here to read a change from
    submitted = arguments.get("head_sha")
    if submitted not in (None, head):
        console.warn(f"The change was not pushed: HEAD is {head[:12]}, and {submitted[:12]} is submitted.")
        return arguments
    try:
        result = push_change(console, target, git, arguments["action_pid"], Choice())
    except (CommandError, CallRefused, ServerUnreachable, OSError) as failure:
        reason = getattr(failure, "message", None) or str(failure)
        console.warn(f"The change was not pushed, and the work is submitted without it. {reason}")
        return arguments
    console.info(summary_line(result))
    advice = {name: result.get(name) for name in ("overlaps", "advisory", "news")}  # given once, so here or nowhere
    if any(advice.values()):
        console.warn("\n".join(["The server says of the change:", *format_result_lines(advice)]))
    # Without a pull request the reviewer needs the branch, too: what is missing there is for the server to say.
    return {**arguments, "head_sha": head} if {"pr_url", "branch"} & set(arguments) else arguments


def _refusal(secrets: list[Secret]) -> str:
    lines = [f"  {secret.path}:{secret.line}: {secret.shape}" for secret in secrets[:SECRETS_NAMED]]
    if len(secrets) > SECRETS_NAMED:
        lines.append(f"  and {len(secrets) - SECRETS_NAMED} more")
    return "\n".join(
        [
            "The change was not pushed: these lines look like secrets.",
            *lines,
            "Take them out of the commits, and revoke what is real. `pendesk change push --without PATH` pushes the "
            "change without the lines of a file.",
        ]
    )


def _omitted_paths(change: LocalChange, reason: Omission) -> list[str]:
    return [change.paths[file.entry.path] for file in change.files if file.omitted == reason]


def _notes(result: dict[str, Any]) -> list[str]:
    sentences = {
        "notCommitted": "Not committed, so not in the change",
        "tooLarge": f"Only their names and counts were pushed, as all is more than {CHANGE_BYTES // 1_000_000} MB",
        "leftOut": "Only their names and counts were pushed, as they are ignored by git or left out",
    }
    notes = [f"{text}: {_name_some(result[key])}." for key, text in sentences.items() if result[key]]
    if result["leftOff"]:
        notes.append(f"{result['leftOff']} files are not in the change: it has the first {CHANGE_FILES}.")
    return notes


def _name_some(paths: list[str]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(paths[:NAMED]) + more
