"""Queries on attachments."""

from pendesk.domain.project import Attachment
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("attachments", Attachment)

BY_ID = f"""
SELECT {columns_sql(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND id = :id AND removed_at IS NULL
"""

OF_SPEC = f"""
SELECT {columns_sql(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND spec_id = :spec_id AND removed_at IS NULL ORDER BY id
"""

IS_KEPT = "SELECT 1 FROM attachments WHERE storage_key = :key AND removed_at IS NULL"

WAS_USED = "SELECT 1 FROM attachments WHERE workspace_id = :workspace AND storage_key = :key"

REMOVE = "UPDATE attachments SET removed_at = :now WHERE workspace_id = :workspace AND id = :id"


def add(tx: Tx, attachment: Attachment) -> None:
    tx.run(INSERT, **attachment._asdict())


def by_id(tx: Tx, attachment_id: str) -> Attachment | None:
    row = tx.one(BY_ID, id=attachment_id)
    return Attachment(*row) if row else None


def of_spec(tx: Tx, spec_id: str) -> list[Attachment]:
    return [Attachment(*row) for row in tx.all(OF_SPEC, spec_id=spec_id)]


def is_storage_key_in_use(tx: Tx, storage_key: str) -> bool:
    """Whether an attachment of any workspace still needs these bytes."""
    return tx.one(IS_KEPT, key=storage_key) is not None


def was_ever_attached(tx: Tx, storage_key: str) -> bool:
    return tx.one(WAS_USED, key=storage_key) is not None


def remove(tx: Tx, attachment_id: str) -> None:
    tx.run(REMOVE, id=attachment_id, now=tx.now)
