"""Queries on where projects are published."""

from pendesk.domain.publication import Publication
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("publications", Publication)

OF_PROJECT = f"""
SELECT {columns_sql(Publication)} FROM publications WHERE workspace_id = :workspace AND project_id = :project_id
"""

OF_WORKSPACE = (
    f"SELECT {columns_sql(Publication)} FROM publications WHERE workspace_id = :workspace ORDER BY project_id"
)

SAVE_SEALED = """
UPDATE publications SET sealed_token = :sealed_token WHERE workspace_id = :workspace AND project_id = :project_id
"""

RENEW = """
UPDATE publications SET sealed_token = :sealed_token, digest = :digest, published_by = :published_by, pushed_at = :now
WHERE workspace_id = :workspace AND project_id = :project_id
"""

PUSHED = """
UPDATE publications SET digest = :digest, pushed_at = :now
WHERE workspace_id = :workspace AND project_id = :project_id
"""

PULLED = "UPDATE publications SET pulled_at = :now WHERE workspace_id = :workspace AND project_id = :project_id"

FORGET = "DELETE FROM publications WHERE workspace_id = :workspace AND share_id = :share_id"


def add(tx: Tx, publication: Publication) -> None:
    tx.run(INSERT, **publication._asdict())


def of_project(tx: Tx, project_id: str) -> Publication | None:
    row = tx.one(OF_PROJECT, project_id=project_id)
    return Publication(*row) if row else None


def of_workspace(tx: Tx) -> list[Publication]:
    return [Publication(*row) for row in tx.all(OF_WORKSPACE)]


def save_encrypted_token(tx: Tx, project_id: str, encrypted_token: str) -> None:
    tx.run(SAVE_SEALED, project_id=project_id, sealed_token=encrypted_token)


def record_republish(tx: Tx, publication: Publication) -> None:
    """Published again at the same place, perhaps with another token."""
    tx.run(
        RENEW,
        project_id=publication.project_id,
        sealed_token=publication.sealed_token,
        digest=publication.digest,
        published_by=publication.published_by,
        now=tx.now,
    )


def record_mirror_push(tx: Tx, project_id: str, mirror_digest: str) -> None:
    tx.run(PUSHED, project_id=project_id, digest=mirror_digest, now=tx.now)


def set_guest_requests_last_pulled_at(tx: Tx, project_id: str) -> None:
    tx.run(PULLED, project_id=project_id, now=tx.now)


def remove_by_share(tx: Tx, share_id: str) -> None:
    """The other server's token goes with it."""
    tx.run(FORGET, share_id=share_id)
