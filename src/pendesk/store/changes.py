"""Queries on changes and their files."""

from pendesk.domain.change import Change, ChangeFile, FileKind, FileStatus, Omission, Part
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql

INSERT = insert_sql("changes", Change)

_FILE_COLUMNS = ", ".join(ChangeFile._fields)

INSERT_FILES = f"""
INSERT INTO change_files (workspace_id, {_FILE_COLUMNS})
SELECT :workspace, {", ".join(f"f.{name}" for name in ChangeFile._fields)}
FROM (EACH ROW OF :rows (
  change_id TEXT, part TEXT, position BIGINT, path TEXT, old_path TEXT, status TEXT, kind TEXT, added BIGINT,
  removed BIGINT, old_size BIGINT, new_size BIGINT, omitted TEXT, digest TEXT, start BIGINT, length BIGINT)) f
"""

OF_SUBMISSION = f"""
SELECT {columns_sql(Change)} FROM changes WHERE workspace_id = :workspace AND submission_id = :submission_id
"""

PENDING = f"""
SELECT {columns_sql(Change)} FROM changes
WHERE workspace_id = :workspace AND action_id = :action_id AND submission_id IS NULL
"""

NEWEST = f"""
SELECT {columns_sql(Change)} FROM changes
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY pushed_at DESC, id DESC LIMIT 1
"""

FILES = f"""
SELECT {columns_sql(ChangeFile)} FROM change_files
WHERE workspace_id = :workspace AND change_id = :change_id AND part = :part ORDER BY position
"""

FILE_AT = f"""
SELECT {columns_sql(ChangeFile)} FROM change_files
WHERE workspace_id = :workspace AND change_id = :change_id AND part = :part AND position = :position
"""

FILE_BY_PATH = f"""
SELECT {columns_sql(ChangeFile)} FROM change_files
WHERE workspace_id = :workspace AND change_id = :change_id AND path = :path AND part = 'change'
ORDER BY position LIMIT 1
"""

HAS_PATH = """
SELECT 1 FROM change_files WHERE workspace_id = :workspace AND change_id = :change_id AND path = :path LIMIT 1
"""

# Of a file that was shown, in either part: the digest of all that its change does to it, where that is not nothing.
WHOLE_DIGEST = """
SELECT coalesce((
    SELECT w.digest FROM change_files w WHERE w.workspace_id = f.workspace_id AND w.change_id = f.change_id
      AND w.path = f.path AND w.part = 'change' ORDER BY w.position LIMIT 1), f.digest)
FROM changes c CROSS JOIN change_files f
WHERE c.workspace_id = :workspace AND c.action_id = :action_id
  AND f.workspace_id = c.workspace_id AND f.change_id = c.id AND f.path = :path AND f.digest = :digest
ORDER BY f.part, c.pushed_at DESC LIMIT 1
"""

BIND = "UPDATE changes SET submission_id = :submission_id WHERE workspace_id = :workspace AND id = :id"

DELETE_FILES = "DELETE FROM change_files WHERE workspace_id = :workspace AND change_id = :id"

DELETE = "DELETE FROM changes WHERE workspace_id = :workspace AND id = :id"

IS_KEPT = "SELECT 1 FROM changes WHERE storage_key = :key"

VIEWED = """
SELECT path, digest FROM viewed_files
WHERE workspace_id = :workspace AND user_id = :user_id AND action_id = :action_id
"""

MARK_VIEWED = """
INSERT INTO viewed_files (workspace_id, user_id, action_id, path, digest, viewed_at)
VALUES (:workspace, :user_id, :action_id, :path, :digest, :now)
ON CONFLICT (workspace_id, user_id, action_id, path) DO UPDATE
SET digest = excluded.digest, viewed_at = excluded.viewed_at
"""

UNMARK_VIEWED = """
DELETE FROM viewed_files
WHERE workspace_id = :workspace AND user_id = :user_id AND action_id = :action_id AND path = :path
"""


def add(tx: Tx, change: Change, files: list[ChangeFile]) -> None:
    tx.run(INSERT, **change._asdict())
    if files:
        tx.run(INSERT_FILES, rows=to_json([list(file) for file in files]))


def of_submission(tx: Tx, submission_id: str) -> Change | None:
    return _change(tx.one(OF_SUBMISSION, submission_id=submission_id))


def pending_of(tx: Tx, action_id: str) -> Change | None:
    """What the next submission of its head takes."""
    return _change(tx.one(PENDING, action_id=action_id))


def newest_of(tx: Tx, action_id: str) -> Change | None:
    return _change(tx.one(NEWEST, action_id=action_id))


def files_of(tx: Tx, change_id: str, part: Part = "change") -> list[ChangeFile]:
    return [_file(row) for row in tx.all(FILES, change_id=change_id, part=part)]


def file_at(tx: Tx, change_id: str, part: Part, position: int) -> ChangeFile | None:
    row = tx.one(FILE_AT, change_id=change_id, part=part, position=position)
    return _file(row) if row else None


def file_by_path(tx: Tx, change_id: str, path: str) -> ChangeFile | None:
    row = tx.one(FILE_BY_PATH, change_id=change_id, path=path)
    return _file(row) if row else None


def has_path(tx: Tx, change_id: str, path: str) -> bool:
    """In either part."""
    return tx.one(HAS_PATH, change_id=change_id, path=path) is not None


def whole_digest(tx: Tx, action_id: str, path: str, digest: str) -> str | None:
    """None where no change of the action has a file of this digest any more."""
    row = tx.one(WHOLE_DIGEST, action_id=action_id, path=path, digest=digest)
    return row[0] if row else None


def bind_to_submission(tx: Tx, change_id: str, submission_id: str) -> None:
    tx.run(BIND, id=change_id, submission_id=submission_id)


def delete(tx: Tx, change_id: str) -> None:
    """Its stored file is removed by the sweeper."""
    tx.run(DELETE_FILES, id=change_id)
    tx.run(DELETE, id=change_id)


def is_storage_key_in_use(tx: Tx, storage_key: str) -> bool:
    """Whether a change of any workspace still needs these bytes."""
    return tx.one(IS_KEPT, key=storage_key) is not None


def viewed_digest_by_path(tx: Tx, user_id: str, action_id: str) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(VIEWED, user_id=user_id, action_id=action_id)}


def mark_viewed(tx: Tx, user_id: str, action_id: str, path: str, digest: str) -> None:
    tx.run(MARK_VIEWED, user_id=user_id, action_id=action_id, path=path, digest=digest, now=tx.now)


def unmark_viewed(tx: Tx, user_id: str, action_id: str, path: str) -> None:
    tx.run(UNMARK_VIEWED, user_id=user_id, action_id=action_id, path=path)


def _change(row: Row | None) -> Change | None:
    return Change(*row) if row else None


def _file(row: Row) -> ChangeFile:
    file = ChangeFile(*row)
    return file._replace(
        status=FileStatus(file.status),
        kind=FileKind(file.kind),
        omitted=Omission(file.omitted) if file.omitted is not None else None,
    )
