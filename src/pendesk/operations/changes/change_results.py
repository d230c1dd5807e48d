"""A change as people and programs read it."""

from pendesk.clock import to_iso
from pendesk.domain.change import Change, ChangeFile
from pendesk.operations.operation import Output


class ChangeSummary(Output):
    """source: push, from a repository; or github. files: how many; those past the limit are counted, not listed.
    omitted: files without their hunks. since_sha: the head of the
    submission before, where what changed since is known.
    """

    pid: str
    source: str
    base_sha: str
    head_sha: str
    branch: str | None
    pushed_at: str
    files: int
    added: int
    removed: int
    omitted: int
    since_sha: str | None = None
    submission_number: int | None = None


class ChangedFile(Output, kw_only=True):
    """omitted: why it has no hunks: too_large, left_out by who pushed it, or withheld because it looks like a secret.
    digest: of its hunks. commit_shas: the commits that touch it; criterion_ids: what they are for.
    viewed: by the caller, with these hunks. since_last: same, changed or new, compared with the submission before.
    """

    position: int
    path: str
    status: str
    kind: str
    added: int
    removed: int
    digest: str
    old_path: str | None = None
    old_size: int | None = None
    new_size: int | None = None
    omitted: str | None = None
    viewed: bool = False
    commit_shas: list[str] = []
    criterion_ids: list[str] = []
    since_last: str | None = None


def change_summary(change: Change, submission_number: int | None) -> ChangeSummary:
    return ChangeSummary(
        pid=change.id,
        source=change.source,
        base_sha=change.base_sha,
        head_sha=change.head_sha,
        branch=change.branch,
        pushed_at=to_iso(change.pushed_at),
        files=change.files,
        added=change.added,
        removed=change.removed,
        omitted=change.omitted,
        since_sha=change.since_sha,
        submission_number=submission_number,
    )


def changed_file(file: ChangeFile) -> ChangedFile:
    return ChangedFile(
        position=file.position,
        path=file.path,
        status=file.status,
        kind=file.kind,
        added=file.added,
        removed=file.removed,
        digest=file.digest,
        old_path=file.old_path,
        old_size=file.old_size,
        new_size=file.new_size,
        omitted=file.omitted,
    )
