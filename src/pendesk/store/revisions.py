"""Every text as it was at each of its revisions."""

from typing import Any, NamedTuple

from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.engine.tx import Tx
from pendesk.store.projects import is_there

INSERT = """
INSERT INTO revisions (workspace_id, object_id, revision, content, author_id, written_at)
VALUES (:workspace, :object_id, :revision, :content, :author_id, :now)
"""

_PROJECT_IDS = " UNION ALL ".join(
    f"SELECT {project_id} FROM {source} WHERE o.workspace_id = :workspace AND o.id = :object_id"
    for project_id, source in (
        *(("o.project_id", f"{table} o") for table in ("actions", "documents", "goals", "notes", "specs")),
        ("s.project_id", "plans o JOIN specs s ON s.workspace_id = o.workspace_id AND s.id = o.spec_id"),
    )
)
_IS_THERE = is_there(f"coalesce(({_PROJECT_IDS}), '')")

CONTENT = f"""
SELECT content FROM revisions
WHERE workspace_id = :workspace AND object_id = :object_id AND revision = :revision AND {_IS_THERE}
"""

OF_OBJECT = f"""
SELECT r.revision, r.content, r.author_id, u.name, r.written_at FROM revisions r
LEFT JOIN users u ON u.id = r.author_id
WHERE r.workspace_id = :workspace AND r.object_id = :object_id AND r.revision < :before AND {_IS_THERE}
ORDER BY r.revision DESC LIMIT :limit
"""


class StoredRevision(NamedTuple):
    revision: int
    content: dict[str, Any]
    author_id: str
    author: str
    written_at: int


def add(tx: Tx, object_id: str, revision: int, content: dict[str, Any], author_id: str) -> None:
    tx.run(
        INSERT,
        object_id=object_id,
        revision=revision,
        content=to_json(content),
        author_id=author_id,
        now=tx.now,
    )


def content(tx: Tx, object_id: str, revision: int) -> dict[str, Any]:
    """The fields at that revision; nothing where there is no such revision."""
    row = tx.one(CONTENT, object_id=object_id, revision=revision)
    return from_json(row[0]) if row else {}


def of_object(tx: Tx, object_id: str, before_revision: int, limit: int) -> list[StoredRevision]:
    rows = tx.all(OF_OBJECT, object_id=object_id, before=before_revision, limit=limit)
    return [StoredRevision(row[0], from_json(row[1]), row[2], row[3] or "", row[4]) for row in rows]
