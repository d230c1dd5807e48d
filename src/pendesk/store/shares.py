"""Queries on shares, and on what their guests are shown."""

from pendesk.domain.action import CLOSED, ref_code
from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import MIRROR_ACTIONS
from pendesk.domain.mirror import MirroredAction
from pendesk.domain.ownership import OwnedItem
from pendesk.domain.share import Share
from pendesk.store import criteria, projects
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import OPEN_STATES, is_there

INSERT = insert_sql("shares", Share)

BY_ID = f"""
SELECT {columns_sql(Share)} FROM shares WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

BY_HASH = f"SELECT {columns_sql(Share)} FROM shares WHERE workspace_id = :workspace AND hash = :hash"

# A guest names no workspace: the link alone leads to it. Of a share or of a mirror.
WORKSPACE_OF = """
SELECT workspace_id FROM shares WHERE hash = :hash
UNION ALL
SELECT workspace_id FROM pictures WHERE hash = :hash
"""

LOCK = "SELECT 1 FROM shares WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns_sql(Share)} FROM shares
WHERE workspace_id = :workspace AND project_id = :project_id AND id > :after ORDER BY id LIMIT :limit
"""

# Those that still show something, here or on another server.
OF_OWNER = """
SELECT s.id, p.id, p.key, p.name, a.ref_number, s.server_url FROM shares s
JOIN projects p ON p.workspace_id = s.workspace_id AND p.id = s.project_id
LEFT JOIN actions a ON a.workspace_id = s.workspace_id AND a.id = s.action_id
WHERE s.workspace_id = :workspace AND s.owner_id = :owner_id AND s.revoked_at IS NULL
  AND (s.expires_at IS NULL OR s.expires_at > :now) ORDER BY s.id
"""

GIVE = "UPDATE shares SET owner_id = :owner_id WHERE workspace_id = :workspace AND id = :id"

COUNT_OPEN = """
SELECT count(*) FROM shares WHERE workspace_id = :workspace AND project_id = :project_id AND revoked_at IS NULL
  AND (expires_at IS NULL OR expires_at > :now)
"""

REVOKE = "UPDATE shares SET revoked_at = :now WHERE workspace_id = :workspace AND id = :id AND revoked_at IS NULL"

# Without long texts. Drafts of plans that are not the active one are nobody's but their writers'.
_SHOWN = """
FROM actions a LEFT JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id
WHERE a.workspace_id = :workspace AND a.project_id = :project_id
  AND (a.plan_id IS NULL OR a.plan_id = s.active_plan_id)
"""

SHOWN_ACTIONS = f"""
SELECT a.id, a.ref_number, a.label, a.area, a.state, coalesce(s.title, ''), a.drop_accepted_at
{_SHOWN} ORDER BY a.ref_number LIMIT :limit
"""

# Of what is open: whatever was closed counts, also in a plan that is not the active one any more.
SHOWN_COUNTS = f"SELECT a.state, count(*) {_SHOWN} AND a.state IN {OPEN_STATES} GROUP BY a.state ORDER BY a.state"

SHOWN_SPECS = """
SELECT title, substr(summary, 1, :chars) FROM specs
WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY id LIMIT :limit
"""

SHOWN_EDGES = """
SELECT f.ref_number, t.ref_number, e.label
FROM (SELECT workspace_id, id, ref_number FROM actions WHERE workspace_id = :workspace AND project_id = :project_id
  ORDER BY ref_number LIMIT :looked_at) f
CROSS JOIN edges e CROSS JOIN actions t
WHERE e.workspace_id = f.workspace_id AND e.from_action_id = f.id
  AND t.workspace_id = e.workspace_id AND t.id = e.to_action_id
ORDER BY f.ref_number, t.ref_number, e.label LIMIT :limit
"""


def add(tx: Tx, share: Share) -> None:
    tx.run(INSERT, **share._asdict())


def by_id(tx: Tx, share_id: str) -> Share | None:
    row = tx.one(BY_ID, id=share_id)
    return Share(*row) if row else None


def by_link_hash(tx: Tx, link_hash: str) -> Share | None:
    row = tx.one(BY_HASH, hash=link_hash)
    return Share(*row) if row else None


def workspace_id_by_link_hash(tx: Tx, link_hash: str) -> str | None:
    row = tx.one(WORKSPACE_OF, hash=link_hash)
    return row[0] if row else None


def lock(tx: Tx, share_id: str) -> None:
    tx.lock(LOCK, id=share_id)


def page(tx: Tx, project_id: str, after: str, limit: int) -> list[Share]:
    return [Share(*row) for row in tx.all(PAGE, project_id=project_id, after=after, limit=limit)]


def of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    return [_to_owned_item(*row) for row in tx.all(OF_OWNER, owner_id=owner_id, now=tx.now)]


def _to_owned_item(
    share_id: str,
    project_id: str,
    project_key: str,
    project_name: str,
    action_ref_number: int | None,
    server_url: str | None,
) -> OwnedItem:
    name = f"{project_name} ({project_key})" if action_ref_number is None else ref_code(project_key, action_ref_number)
    return OwnedItem("share", share_id, f"{name} on {server_url}" if server_url else name, project_id=project_id)


def set_owner(tx: Tx, share_id: str, owner_id: str) -> None:
    tx.run(GIVE, id=share_id, owner_id=owner_id)


def count_open(tx: Tx, project_id: str) -> int:
    row = tx.one(COUNT_OPEN, project_id=project_id, now=tx.now)
    assert row is not None
    count: int = row[0]
    return count


def revoke(tx: Tx, share_id: str) -> None:
    tx.run(REVOKE, id=share_id, now=tx.now)


def mirrored_actions(tx: Tx, project_id: str, limit: int) -> list[MirroredAction]:
    rows = tx.all(SHOWN_ACTIONS, project_id=project_id, limit=limit)
    counts = criteria.counts_by_action_id(tx, [row[0] for row in rows])
    return [MirroredAction(*row[1:])._replace(criteria=counts.get(row[0], CriteriaCounts())) for row in rows]


def mirrored_action_counts_by_state(tx: Tx, project_id: str) -> dict[str, int]:
    counts = projects.action_counts_by_state(tx, project_id)
    open_counts = {row[0]: row[1] for row in tx.all(SHOWN_COUNTS, project_id=project_id)}
    return dict(sorted((open_counts | {state: counts[state] for state in CLOSED if state in counts}).items()))


def mirrored_spec_titles_and_summaries(
    tx: Tx, project_id: str, summary_chars: int, limit: int
) -> list[tuple[str, str]]:
    rows = tx.all(SHOWN_SPECS, project_id=project_id, chars=summary_chars, limit=limit)
    return [(row[0], row[1]) for row in rows]


def edge_from_to_ref_numbers_and_labels(tx: Tx, project_id: str, limit: int) -> list[tuple[int, int, str]]:
    rows = tx.all(SHOWN_EDGES, project_id=project_id, limit=limit, looked_at=MIRROR_ACTIONS)
    return [(row[0], row[1], row[2]) for row in rows]
