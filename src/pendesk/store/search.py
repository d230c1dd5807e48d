"""The texts that full-text search reads."""

from pendesk.domain.limits import SEARCH_INDEX_CHARS
from pendesk.store.tx import Tx

INDEX = """
INSERT INTO search_texts (workspace_id, object_id, project_id, kind, title, body)
VALUES (:workspace, :object_id, :project_id, :kind, :title, :body)
ON CONFLICT (workspace_id, object_id) DO UPDATE SET title = excluded.title, body = excluded.body
"""


def index(tx: Tx, kind: str, object_id: str, project_id: str, title: str, *texts: str) -> None:
    """Called with every change of the object's texts, in its transaction."""
    body = "\n".join(text for text in texts if text)[:SEARCH_INDEX_CHARS]
    tx.run(INDEX, object_id=object_id, project_id=project_id, kind=kind, title=title, body=body)
