"""The change of a branch, read from the local repository."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from pendesk.cli.parts.change_base import Base, find_base, find_commit, find_head, merge_base
from pendesk.cli.parts.change_commits import Commit, list_commits
from pendesk.cli.parts.change_diff import Entry, FileDiff, list_entries, read_diff
from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.git import Git, GitFailed
from pendesk.domain.limits import CHANGE_COMMITS, CHANGE_FILES, PATH_CHARS
from pendesk.domain.unified_diff import parse_diff


class Choice(NamedTuple):
    """What the options of `pendesk change push` choose."""

    base: str | None = None
    without: tuple[str, ...] = ()


class LocalChange(NamedTuple):
    """`commits` are the newest that a change may have, the oldest of them first. `paths`: of the files, as the server
    shows them. `left_off`: how many files do not come at all.
    """

    base: Base
    head_sha: str
    branch: str | None
    commits: list[Commit]
    files: list[FileDiff]
    since_sha: str | None
    since: list[FileDiff]
    paths: dict[bytes, str]
    left_off: int


def read_change(
    git: Git, choice: Choice, reported_commits: Sequence[str] = (), compares_with: str | None = None
) -> LocalChange:
    """`compares_with`: the head of the submission before. What changed since then is read where that commit is here."""
    head = find_head(git)
    base = find_base(git, head, choice.base, reported_commits)
    since_sha = find_commit(git, compares_with) if compares_with else None
    entries = list_entries(git, base.sha, head)
    since_entries = list_entries(git, since_sha, head) if since_sha else []
    sent = _sendable_paths(entries)
    sent_since = _sendable_paths(_of_this_change(git, base, since_sha, entries, since_entries)) if since_sha else []
    left_out = _left_out_paths(git, {*sent, *sent_since}, choice.without)
    files = read_diff(git, base.sha, head, entries, set(sent), left_out)
    too_large = {file.entry.path for file in files if file.omitted}
    since = read_diff(git, since_sha, head, since_entries, set(sent_since), left_out | too_large) if since_sha else []
    return LocalChange(
        base=base,
        head_sha=head,
        branch=git.line("symbolic-ref", "--quiet", "--short", "HEAD"),
        commits=list_commits(git, base.revisions)[-CHANGE_COMMITS:],
        files=files,
        since_sha=since_sha,
        since=since,
        paths={file.entry.path: parse_diff(file.header, 1).files[0].path for file in [*files, *since]},
        left_off=len(entries) - len(sent),
    )


def list_uncommitted(git: Git) -> list[str]:
    """What a commit would bring into the change."""
    filters = git.line("config", "--name-only", "--get-regexp", r"^filter\.") or ""
    drivers = {name.rpartition(".")[0] for name in filters.splitlines()}
    # `status` would run the programs of the repository's filters.
    config = [f"{driver}.{key}" for driver in sorted(drivers) for key in ("clean=", "process=", "required=false")]
    status = ("status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all", "--untracked-files=normal")
    entries = git.run(*status, config=config).split(b"\0")
    return sorted({entry[3:].decode(errors="replace") for entry in entries if entry})


def _of_this_change(
    git: Git, base: Base, since_sha: str, entries: list[Entry], since_entries: list[Entry]
) -> list[Entry]:
    """Only of files that the change touches now, or did then: after a rebase the others are the upstream's."""
    base_then = merge_base(git, since_sha, base.sha) or base.sha
    touched = {entry.path for entry in [*entries, *list_entries(git, base_then, since_sha)]}
    return [entry for entry in since_entries if {entry.path, entry.old_path} & touched]


def _sendable_paths(entries: list[Entry]) -> list[bytes]:
    return [entry.path for entry in entries if len(entry.path) <= PATH_CHARS][:CHANGE_FILES]


def _left_out_paths(git: Git, paths: set[bytes], without: tuple[str, ...]) -> set[bytes]:
    """Files that the user names, or a folder of them, and those that git ignores although it tracks them."""
    left_out = _ignored_paths(git, paths)
    for name in without:
        prefix = os.fsencode(os.path.normpath(name))
        named = {path for path in paths if path == prefix or path.startswith(prefix + b"/")}
        if not named:
            raise CommandError(
                f"--without {name}: the change has no such file. Name it from the repository's top folder."
            )
        left_out |= named
    return left_out


def _ignored_paths(git: Git, paths: set[bytes]) -> set[bytes]:
    here = b"./"  # or a path such as :a would be taken for a pattern
    request = b"".join(here + path + b"\0" for path in sorted(paths))
    try:
        printed = git.run("check-ignore", "--no-index", "-z", "--stdin", stdin=request)
        return {path.removeprefix(here) for path in printed.split(b"\0")[:-1]}
    except GitFailed as failure:
        if failure.exit_status == 1:  # none of them is ignored
            return set()
        raise
