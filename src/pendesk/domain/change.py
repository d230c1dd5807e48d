"""The change of an action: what its branch does to the code, file by file, bound to its head."""

from enum import StrEnum
from typing import Literal, NamedTuple

Part = Literal["change", "since"]
Side = Literal["old", "new"]


class ChangeSource(StrEnum):
    PUSH = "push"
    GITHUB = "github"


class FileStatus(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"


class FileKind(StrEnum):
    TEXT = "text"
    BINARY = "binary"
    SUBMODULE = "submodule"


class Omission(StrEnum):
    """Why a file of a change comes without its hunks."""

    TOO_LARGE = "too_large"
    LEFT_OUT = "left_out"
    WITHHELD = "withheld"  # it looks like it holds a secret


class Change(NamedTuple):
    """`submission_id` is None until the head is submitted. `commits` is a JSON list of ChangeCommit.

    `since_sha`: the head of the submission before, where the part `since` starts. `omitted`: files without hunks.
    """

    id: str
    project_id: str
    action_id: str
    submission_id: str | None
    source: ChangeSource
    base_sha: str
    head_sha: str
    branch: str | None
    since_sha: str | None
    commits: str
    files: int
    added: int
    removed: int
    omitted: int
    storage_key: str
    size_bytes: int
    pushed_by: str
    claim_id: str | None
    pushed_at: int


class ChangeFile(NamedTuple):
    """`start` and `length` say where its FilePatch is in the stored file; length 0: it has none."""

    change_id: str
    part: Part
    position: int
    path: str
    old_path: str | None
    status: FileStatus
    kind: FileKind
    added: int
    removed: int
    old_size: int | None
    new_size: int | None
    omitted: Omission | None
    digest: str
    start: int
    length: int


class ChangeCommit(NamedTuple):
    """One commit of a change, the oldest first. `files`: positions of the files that it touches."""

    sha: str
    subject: str
    files: list[int]


class Hunk(NamedTuple):
    """`lines` begin with a blank, + or -, as in a unified diff, or with a backslash for a missing end of line."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: str
    lines: list[str]


class FilePatch(NamedTuple):
    """The hunks of one file. `blame`: (first new line, how many, place of the commit) of the lines that were added,
    where the sender knew them.
    """

    hunks: list[Hunk]
    blame: list[tuple[int, int, int]]
