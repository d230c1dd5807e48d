"""Queries on attachments."""

from pendesk.domain.file_quota import FileUse
from pendesk.domain.project import Attachment
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("attachments", Attachment)

BY_ID = f"""
SELECT {columns_sql(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND id = :id AND removed_at IS NULL AND {is_there("project_id")}
"""

OF_SPEC = f"""
SELECT {columns_sql(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND spec_id = :spec_id AND removed_at IS NULL ORDER BY id
"""

OF_ACTION_CRITERIA = f"""
SELECT {columns_sql(Attachment, "f")} FROM criteria k CROSS JOIN attachments f
WHERE k.workspace_id = :workspace AND k.action_id = :action_id AND k.removed_at IS NULL
  AND f.workspace_id = k.workspace_id AND f.criterion_id = k.id AND f.removed_at IS NULL
ORDER BY f.criterion_id, f.id
"""

COUNT_OF_CRITERION = """
SELECT count(*) FROM attachments
WHERE workspace_id = :workspace AND criterion_id = :criterion_id AND removed_at IS NULL
"""

IS_KEPT = "SELECT 1 FROM attachments WHERE storage_key = :key AND removed_at IS NULL"

WAS_USED = "SELECT 1 FROM attachments WHERE workspace_id = :workspace AND storage_key = :key"

USED_BYTES = f"""
SELECT CAST(coalesce(sum(size_bytes), 0) AS BIGINT),
  CAST(coalesce(sum(CASE WHEN added_by = :user_id THEN size_bytes ELSE 0 END), 0) AS BIGINT)
FROM attachments WHERE workspace_id = :workspace AND removed_at IS NULL AND {is_there("project_id")}
"""

REMOVE = "UPDATE attachments SET removed_at = :now WHERE workspace_id = :workspace AND id = :id"


def add(tx: Tx, attachment: Attachment) -> None:
    tx.run(INSERT, **attachment._asdict())


def by_id(tx: Tx, attachment_id: str) -> Attachment | None:
    row = tx.one(BY_ID, id=attachment_id)
    return Attachment(*row) if row else None


def of_spec(tx: Tx, spec_id: str) -> list[Attachment]:
    return [Attachment(*row) for row in tx.all(OF_SPEC, spec_id=spec_id)]


def of_action_by_criterion_id(tx: Tx, action_id: str) -> dict[str, list[Attachment]]:
    """Criterion id -> the files that are evidence for it, the oldest first."""
    by_criterion: dict[str, list[Attachment]] = {}
    for row in tx.all(OF_ACTION_CRITERIA, action_id=action_id):
        attachment = Attachment(*row)
        by_criterion.setdefault(attachment.criterion_id or "", []).append(attachment)
    return by_criterion


def count_of_criterion(tx: Tx, criterion_id: str) -> int:
    row = tx.one(COUNT_OF_CRITERION, criterion_id=criterion_id)
    assert row is not None
    count: int = row[0]
    return count


def used_bytes(tx: Tx, user_id: str) -> FileUse:
    """It goes through all files of the workspace."""
    row = tx.one(USED_BYTES, user_id=user_id)
    assert row is not None
    return FileUse(*row)


def is_storage_key_in_use(tx: Tx, storage_key: str) -> bool:
    """Whether an attachment of any workspace still needs these bytes."""
    return tx.one(IS_KEPT, key=storage_key) is not None


def was_ever_attached(tx: Tx, storage_key: str) -> bool:
    return tx.one(WAS_USED, key=storage_key) is not None


def remove(tx: Tx, attachment_id: str) -> None:
    tx.run(REMOVE, id=attachment_id, now=tx.now)
