"""A change as the file that is sent, and what must not be in it."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from pendesk.cli.parts.change_commits import Blame, blame_added_lines
from pendesk.cli.parts.change_diff import SUBMODULE_MODE, blob_sizes, iterate_hunks, join_diff
from pendesk.cli.parts.change_reading import LocalChange
from pendesk.cli.parts.git import Git
from pendesk.domain.limits import BRANCH_CHARS, CHANGE_MANIFEST_BYTES, LABEL_CHARS
from pendesk.domain.secret_shapes import added_secrets
from pendesk.operations.changes.change_upload import ChangeManifest, ManifestCommit, ManifestFile, pack_change


class Secret(NamedTuple):
    """Where it stands, and what it looks like; never the secret."""

    path: str
    line: int
    shape: str


def find_secrets(change: LocalChange) -> list[Secret]:
    """In lines that would be sent, each once."""
    return sorted(set(_secrets_in(change)))


def _secrets_in(change: LocalChange) -> Iterator[Secret]:
    for file in [*change.files, *change.since]:
        for new_start, lines in iterate_hunks(file.hunks):
            for secret in added_secrets(new_start, [line.decode(errors="replace") for line in lines]):
                yield Secret(change.paths[file.entry.path], secret.line, secret.shape)


def pack_local_change(git: Git, change: LocalChange) -> bytes:
    diff, since = join_diff(change.files), join_diff(change.since)
    blame = blame_added_lines(git, change.base.revisions, change.files, change.commits)
    manifest = ChangeManifest(
        base_sha=change.base.sha,
        head_sha=change.head_sha,
        change_bytes=len(diff),
        branch=change.branch if change.branch and len(change.branch) <= BRANCH_CHARS else None,
        since_sha=change.since_sha,
        commits=_manifest_commits(change),
        files=_manifest_files(git, change, blame),
        left_off=change.left_off,
    )
    return pack_change(_shorten(manifest), diff, since)


def _manifest_commits(change: LocalChange) -> list[ManifestCommit]:
    shown_path = {file.entry.old_path: change.paths[file.entry.path] for file in change.files if file.entry.old_path}
    shown_path |= {file.entry.path: change.paths[file.entry.path] for file in change.files}
    return [
        ManifestCommit(
            commit.sha,
            commit.subject[:LABEL_CHARS],
            sorted({shown_path[path] for path in commit.paths if path in shown_path}),
        )
        for commit in change.commits
    ]


def _manifest_files(git: Git, change: LocalChange, blame: dict[bytes, Blame]) -> list[ManifestFile]:
    """Only of files that the diff does not say all of."""
    binary = [file.entry for file in change.files if file.entry.is_binary and SUBMODULE_MODE not in file.entry.modes]
    sizes = blob_sizes(git, {blob for entry in binary for blob in entry.blobs if blob.strip("0")})
    files = []
    for file in change.files:
        entry, lines = file.entry, blame.get(file.entry.path, [])
        if file.omitted or entry.is_binary or lines:
            files.append(
                ManifestFile(
                    change.paths[entry.path],
                    omitted=file.omitted,
                    added=entry.added if file.omitted else None,
                    removed=entry.removed if file.omitted else None,
                    old_size=sizes.get(entry.blobs[0]) if entry.is_binary else None,
                    new_size=sizes.get(entry.blobs[1]) if entry.is_binary else None,
                    blame=lines,
                )
            )
    return files


def _shorten(manifest: ChangeManifest) -> ChangeManifest:
    """Who wrote which line goes first, which commit touches what goes next: both only help to read."""
    if len(msgspec.json.encode(manifest)) > CHANGE_MANIFEST_BYTES:
        files = [msgspec.structs.replace(file, blame=[]) for file in manifest.files]
        manifest = msgspec.structs.replace(manifest, files=files)
    if len(msgspec.json.encode(manifest)) > CHANGE_MANIFEST_BYTES:
        commits = [msgspec.structs.replace(commit, paths=[]) for commit in manifest.commits]
        manifest = msgspec.structs.replace(manifest, commits=commits)
    return manifest
