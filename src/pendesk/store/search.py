"""The texts that full-text search reads."""

from pendesk.domain.limits import SEARCH_EXCERPT_FROM_CHARS
from pendesk.domain.search import to_search_index_text
from pendesk.store.engine.tx import Tx

INDEX = """
INSERT INTO search_texts (workspace_id, object_id, project_id, kind, title, body, title_words, body_words)
VALUES (:workspace, :object_id, :project_id, :kind, :title, :body, :title_words, :body_words)
ON CONFLICT (workspace_id, object_id) DO UPDATE
SET title = excluded.title, body = excluded.body, title_words = excluded.title_words,
  body_words = excluded.body_words
"""


def save_index_entry(tx: Tx, kind: str, object_id: str, project_id: str, title: str, *texts: str) -> None:
    """Called with every change of the object's texts, in its transaction."""
    body = "\n".join(text for text in texts if text)
    tx.run(
        INDEX,
        object_id=object_id,
        project_id=project_id,
        kind=kind,
        title=title,
        body=body[:SEARCH_EXCERPT_FROM_CHARS],
        title_words=to_search_index_text(title),
        body_words=to_search_index_text(body),
    )
