"""What GitHub sent for a change becomes a stored one, as if it had been pushed: see operations/changes."""

import asyncio

from pendesk.domain.change import Omission
from pendesk.domain.errors import Refusal
from pendesk.domain.limits import CHANGE_COMMITS, LABEL_CHARS, PATH_CHARS
from pendesk.operations.changes.change_upload import ChangeManifest, ManifestCommit, ManifestFile
from pendesk.operations.changes.stored_change import StoredChange, store_change
from pendesk.operations.github.api import ComparedFile, Comparison
from pendesk.operations.operation import Files

_MODES = {"added": "new file mode 100644\n", "removed": "deleted file mode 100644\n"}


async def store_fetched_change(
    files: Files,
    head_sha: str,
    branch: str | None,
    comparison: Comparison,
    diff: bytes | None,
    since: tuple[str, bytes] | None,
) -> StoredChange | None:
    """Off the event loop's thread. Without a diff, or with one that cannot be read, the files come without hunks; None
    where not even those can be read.
    """
    if diff is not None:
        manifest = _manifest(head_sha, branch, comparison, [], since)
        stored = await asyncio.to_thread(_try_to_store, files, manifest, diff, since[1] if since else b"")
        if stored is not None:
            return stored
    listed = [file for file in comparison.files if _has_plain_names(file)]
    without_hunks = [
        ManifestFile(
            file.filename, omitted=Omission.TOO_LARGE, added=max(file.additions, 0), removed=max(file.deletions, 0)
        )
        for file in listed
    ]
    heads = "".join(_head_of_diff(file) for file in listed).encode()
    return await asyncio.to_thread(
        _try_to_store, files, _manifest(head_sha, branch, comparison, without_hunks, None), heads, b""
    )


def _try_to_store(files: Files, manifest: ChangeManifest, diff: bytes, since: bytes) -> StoredChange | None:
    try:
        # Nobody is there to take a secret out, so the hunks of its file are withheld.
        return store_change(files, manifest, diff, since, withhold_secrets=True)
    except Refusal:
        return None


def _manifest(
    head_sha: str,
    branch: str | None,
    comparison: Comparison,
    files: list[ManifestFile],
    since: tuple[str, bytes] | None,
) -> ChangeManifest:
    commits = [
        ManifestCommit(commit.sha, " ".join(commit.commit.message.partition("\n")[0].split())[:LABEL_CHARS])
        for commit in comparison.commits[-CHANGE_COMMITS:]
    ]
    return ChangeManifest(
        base_sha=comparison.merge_base_commit.sha,
        head_sha=head_sha,
        change_bytes=0,  # the diffs are not in one file
        branch=branch or None,
        since_sha=since[0] if since else None,
        commits=commits,
        files=files,
    )


def _has_plain_names(file: ComparedFile) -> bool:
    names = [file.filename, file.previous_filename or ""]
    return bool(file.filename) and all(
        name.isprintable() and len(name) <= PATH_CHARS and not name.startswith('"') for name in names
    )


def _head_of_diff(file: ComparedFile) -> str:
    """As git writes it, of a file whose hunks are left out."""
    old, new = file.previous_filename or file.filename, file.filename
    mode = _MODES.get(file.status, "")
    rename = f"rename from {old}\nrename to {new}\n" if file.status == "renamed" else ""
    return f"diff --git a/{old} b/{new}\n{mode}{rename}--- a/{old}\n+++ b/{new}\n"
