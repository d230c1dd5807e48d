"""Queries on attachments."""

from pendesk.domain.project import Attachment
from pendesk.store.tx import Tx, columns, insert

INSERT = insert("attachments", Attachment)

BY_ID = f"""
SELECT {columns(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND id = :id AND removed_at IS NULL
"""

OF_SPEC = f"""
SELECT {columns(Attachment)} FROM attachments
WHERE workspace_id = :workspace AND spec_id = :spec_id AND removed_at IS NULL ORDER BY id
"""

REMOVE = "UPDATE attachments SET removed_at = :now WHERE workspace_id = :workspace AND id = :id"


def add(tx: Tx, attachment: Attachment) -> None:
    tx.run(INSERT, **attachment._asdict())


def by_id(tx: Tx, attachment_id: str) -> Attachment | None:
    row = tx.one(BY_ID, id=attachment_id)
    return Attachment(*row) if row else None


def of_spec(tx: Tx, spec_id: str) -> list[Attachment]:
    return [Attachment(*row) for row in tx.all(OF_SPEC, spec_id=spec_id)]


def remove(tx: Tx, attachment_id: str) -> None:
    tx.run(REMOVE, id=attachment_id, now=tx.now)
