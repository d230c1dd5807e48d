"""Queries on what guests sent in."""

from pendesk.domain.guest_request import STATUSES, GuestRequest
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("inbox_items", GuestRequest)

BY_ID = f"""
SELECT {columns_sql(GuestRequest)} FROM inbox_items
WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM inbox_items WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns_sql(GuestRequest)} FROM inbox_items
WHERE workspace_id = :workspace AND project_id = :project_id AND status = :status AND id > :after
ORDER BY id LIMIT :limit
"""

COUNT_WAITING = """
SELECT count(*) FROM inbox_items WHERE workspace_id = :workspace AND share_id = :share_id AND status = 'pending'
"""

KNOWN_SOURCES = """
SELECT source_id FROM inbox_items
WHERE workspace_id = :workspace AND share_id = :share_id AND source_id IN (EACH :ids)
"""

TRIAGE = """
UPDATE inbox_items SET status = :status, triaged_by = :user_id, triaged_at = :now, action_id = :action_id
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, guest_request: GuestRequest) -> None:
    tx.run(INSERT, **guest_request._asdict())


def by_id(tx: Tx, guest_request_id: str) -> GuestRequest | None:
    row = tx.one(BY_ID, id=guest_request_id)
    return GuestRequest(*row) if row else None


def lock(tx: Tx, guest_request_id: str) -> None:
    tx.lock(LOCK, id=guest_request_id)


def page(tx: Tx, project_id: str, status: str | None, after: str, limit: int) -> list[GuestRequest]:
    """Of all statuses: a page of each, merged. The index is by status, and a page of each is cheap."""
    guest_requests: list[GuestRequest] = []
    for each_status in STATUSES if status is None else (status,):
        rows = tx.all(PAGE, project_id=project_id, status=each_status, after=after, limit=limit)
        guest_requests += [GuestRequest(*row) for row in rows]
    return sorted(guest_requests)[:limit]


def count_pending(tx: Tx, share_id: str) -> int:
    row = tx.one(COUNT_WAITING, share_id=share_id)
    assert row is not None
    count: int = row[0]
    return count


def filter_received_source_request_ids(tx: Tx, share_id: str, source_request_ids: list[str]) -> set[str]:
    """Which of another server's items were taken in before."""
    return {row[0] for row in tx.all(KNOWN_SOURCES, share_id=share_id, ids=to_json(source_request_ids))}


def triage(tx: Tx, guest_request_id: str, status: str, triaged_by: str, action_id: str | None) -> None:
    tx.run(TRIAGE, id=guest_request_id, status=status, user_id=triaged_by, action_id=action_id, now=tx.now)
