"""Queries on mirrors: what other servers publish here, and what guests sent through them."""

from pendesk.domain.ownership import OwnedItem
from pendesk.domain.publication import Mirror, MirrorGuestRequest
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

# Two who publish at once for the first time: one row, which both then replace.
INSERT = insert_sql("pictures", Mirror) + " ON CONFLICT (workspace_id, source_id) DO NOTHING"

BY_SOURCE = f"SELECT {columns_sql(Mirror)} FROM pictures WHERE workspace_id = :workspace AND source_id = :source_id"

BY_HASH = f"SELECT {columns_sql(Mirror)} FROM pictures WHERE workspace_id = :workspace AND hash = :hash"

LOCK = "SELECT 1 FROM pictures WHERE workspace_id = :workspace AND source_id = :source_id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns_sql(Mirror)} FROM pictures
WHERE workspace_id = :workspace AND id > :after ORDER BY id LIMIT :limit
"""

IDS = "SELECT id FROM pictures WHERE workspace_id = :workspace AND id > :after ORDER BY id LIMIT :limit"

SAVE_HASH = "UPDATE pictures SET hash = :hash WHERE workspace_id = :workspace AND id = :id"

# By the project's id on its own server, as every operation on mirrors names them.
OF_OWNER = """
SELECT source_id, name FROM pictures WHERE workspace_id = :workspace AND owner_id = :owner_id ORDER BY id
"""

GIVE = "UPDATE pictures SET owner_id = :owner_id WHERE workspace_id = :workspace AND source_id = :source_id"

COUNT = "SELECT count(*) FROM pictures WHERE workspace_id = :workspace"

REPLACE = """
UPDATE pictures SET name = :name, content = :content, digest = :digest, drawn_at = :drawn_at,
  received_by = :received_by, received_at = :received_at, owner_id = :owner_id
WHERE workspace_id = :workspace AND id = :id
"""

REMOVE = "DELETE FROM pictures WHERE workspace_id = :workspace AND id = :id"

INSERT_GUEST_REQUEST = insert_sql("picture_items", MirrorGuestRequest)

GUEST_REQUESTS = f"""
SELECT {columns_sql(MirrorGuestRequest)} FROM picture_items
WHERE workspace_id = :workspace AND picture_id = :picture_id ORDER BY id LIMIT :limit
"""

COUNT_GUEST_REQUESTS = "SELECT count(*) FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id"

DROP_GUEST_REQUESTS = """
DELETE FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id AND id IN (EACH :ids)
"""

DROP_ALL_GUEST_REQUESTS = "DELETE FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id"


def add(tx: Tx, mirror: Mirror) -> None:
    tx.run(INSERT, **mirror._asdict())


def lock(tx: Tx, source_project_id: str) -> None:
    tx.lock(LOCK, source_id=source_project_id)


def by_source(tx: Tx, source_project_id: str) -> Mirror | None:
    row = tx.one(BY_SOURCE, source_id=source_project_id)
    return Mirror(*row) if row else None


def by_link_hash(tx: Tx, link_hash: str) -> Mirror | None:
    row = tx.one(BY_HASH, hash=link_hash)
    return Mirror(*row) if row else None


def page(tx: Tx, after: str, limit: int) -> list[Mirror]:
    return [Mirror(*row) for row in tx.all(PAGE, after=after, limit=limit)]


def ids(tx: Tx, after: str, limit: int) -> list[str]:
    return [row[0] for row in tx.all(IDS, after=after, limit=limit)]


def save_link_hash(tx: Tx, mirror_id: str, link_hash: str) -> None:
    tx.run(SAVE_HASH, id=mirror_id, hash=link_hash)


def of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    return [OwnedItem("picture", *row) for row in tx.all(OF_OWNER, owner_id=owner_id)]


def set_owner(tx: Tx, source_project_id: str, owner_id: str) -> None:
    tx.run(GIVE, source_id=source_project_id, owner_id=owner_id)


def count(tx: Tx) -> int:
    row = tx.one(COUNT)
    assert row is not None
    number: int = row[0]
    return number


def update(tx: Tx, mirror: Mirror) -> None:
    tx.run(
        REPLACE,
        id=mirror.id,
        name=mirror.name,
        content=mirror.content,
        digest=mirror.digest,
        drawn_at=mirror.drawn_at,
        received_by=mirror.received_by,
        received_at=mirror.received_at,
        owner_id=mirror.owner_id,
    )


def remove(tx: Tx, mirror_id: str) -> None:
    """Its link ends for good: published again, it gets another id and so another link. What guests left goes too."""
    tx.run(DROP_ALL_GUEST_REQUESTS, picture_id=mirror_id)
    tx.run(REMOVE, id=mirror_id)


def add_guest_request(tx: Tx, guest_request: MirrorGuestRequest) -> None:
    tx.run(INSERT_GUEST_REQUEST, **guest_request._asdict())


def guest_requests(tx: Tx, mirror_id: str, limit: int) -> list[MirrorGuestRequest]:
    return [MirrorGuestRequest(*row) for row in tx.all(GUEST_REQUESTS, picture_id=mirror_id, limit=limit)]


def count_guest_requests(tx: Tx, mirror_id: str) -> int:
    row = tx.one(COUNT_GUEST_REQUESTS, picture_id=mirror_id)
    assert row is not None
    number: int = row[0]
    return number


def drop_guest_requests(tx: Tx, mirror_id: str, request_ids: list[str]) -> None:
    tx.run(DROP_GUEST_REQUESTS, picture_id=mirror_id, ids=to_json(request_ids))
