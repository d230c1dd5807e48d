"""Queries on pictures that other servers publish here, and on what guests left on them."""

from pendesk.domain.ownership import Owned
from pendesk.domain.publication import GuestItem, HeldPicture
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns, insert

# Two who publish at once for the first time: one row, which both then replace.
INSERT = insert("pictures", HeldPicture) + " ON CONFLICT (workspace_id, source_id) DO NOTHING"

BY_SOURCE = f"SELECT {columns(HeldPicture)} FROM pictures WHERE workspace_id = :workspace AND source_id = :source_id"

BY_HASH = f"SELECT {columns(HeldPicture)} FROM pictures WHERE workspace_id = :workspace AND hash = :hash"

LOCK = "SELECT 1 FROM pictures WHERE workspace_id = :workspace AND source_id = :source_id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns(HeldPicture)} FROM pictures
WHERE workspace_id = :workspace AND id > :after ORDER BY id LIMIT :limit
"""

IDS = "SELECT id FROM pictures WHERE workspace_id = :workspace AND id > :after ORDER BY id LIMIT :limit"

SAVE_HASH = "UPDATE pictures SET hash = :hash WHERE workspace_id = :workspace AND id = :id"

# By the project's id on its own server, as every operation on pictures names them.
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

INSERT_ITEM = insert("picture_items", GuestItem)

ITEMS = f"""
SELECT {columns(GuestItem)} FROM picture_items
WHERE workspace_id = :workspace AND picture_id = :picture_id ORDER BY id LIMIT :limit
"""

COUNT_ITEMS = "SELECT count(*) FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id"

DROP_ITEMS = """
DELETE FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id AND id IN (EACH :ids)
"""

DROP_ALL_ITEMS = "DELETE FROM picture_items WHERE workspace_id = :workspace AND picture_id = :picture_id"


def add(tx: Tx, picture: HeldPicture) -> None:
    tx.run(INSERT, **picture._asdict())


def lock(tx: Tx, source_id: str) -> None:
    tx.lock(LOCK, source_id=source_id)


def by_source(tx: Tx, source_id: str) -> HeldPicture | None:
    row = tx.one(BY_SOURCE, source_id=source_id)
    return HeldPicture(*row) if row else None


def by_hash(tx: Tx, hashed: str) -> HeldPicture | None:
    row = tx.one(BY_HASH, hash=hashed)
    return HeldPicture(*row) if row else None


def page(tx: Tx, after: str, limit: int) -> list[HeldPicture]:
    return [HeldPicture(*row) for row in tx.all(PAGE, after=after, limit=limit)]


def ids(tx: Tx, after: str, limit: int) -> list[str]:
    return [row[0] for row in tx.all(IDS, after=after, limit=limit)]


def save_hash(tx: Tx, picture_id: str, hashed: str) -> None:
    tx.run(SAVE_HASH, id=picture_id, hash=hashed)


def of_owner(tx: Tx, owner_id: str) -> list[Owned]:
    return [Owned("picture", *row) for row in tx.all(OF_OWNER, owner_id=owner_id)]


def give(tx: Tx, source_id: str, owner_id: str) -> None:
    tx.run(GIVE, source_id=source_id, owner_id=owner_id)


def count(tx: Tx) -> int:
    row = tx.one(COUNT)
    assert row is not None
    number: int = row[0]
    return number


def replace(tx: Tx, picture: HeldPicture) -> None:
    tx.run(
        REPLACE,
        id=picture.id,
        name=picture.name,
        content=picture.content,
        digest=picture.digest,
        drawn_at=picture.drawn_at,
        received_by=picture.received_by,
        received_at=picture.received_at,
        owner_id=picture.owner_id,
    )


def remove(tx: Tx, picture_id: str) -> None:
    """Its link ends for good: published again, it gets another id and so another link. What guests left goes too."""
    tx.run(DROP_ALL_ITEMS, picture_id=picture_id)
    tx.run(REMOVE, id=picture_id)


def add_item(tx: Tx, item: GuestItem) -> None:
    tx.run(INSERT_ITEM, **item._asdict())


def items(tx: Tx, picture_id: str, limit: int) -> list[GuestItem]:
    return [GuestItem(*row) for row in tx.all(ITEMS, picture_id=picture_id, limit=limit)]


def count_items(tx: Tx, picture_id: str) -> int:
    row = tx.one(COUNT_ITEMS, picture_id=picture_id)
    assert row is not None
    number: int = row[0]
    return number


def drop_items(tx: Tx, picture_id: str, ids: list[str]) -> None:
    tx.run(DROP_ITEMS, picture_id=picture_id, ids=to_json(ids))
