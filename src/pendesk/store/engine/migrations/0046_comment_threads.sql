-- A comment is on a document, an action or a spec: one of the three. What is deleted leaves its row, without its words.
-- session_id: of the agent that wrote it. SQLite cannot loosen a column, so the table is made anew on both engines.
CREATE TABLE comments_anew (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  document_id TEXT,
  action_id TEXT,
  spec_id TEXT,
  body TEXT NOT NULL,
  passage TEXT,
  passage_start BIGINT,
  passage_lost SMALLINT NOT NULL,
  author_id TEXT NOT NULL,
  session_id TEXT,
  created_at BIGINT NOT NULL,
  edited_at BIGINT,
  resolved_by TEXT,
  resolved_at BIGINT,
  deleted_by TEXT,
  deleted_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  CHECK (CASE WHEN document_id IS NULL THEN 0 ELSE 1 END + CASE WHEN action_id IS NULL THEN 0 ELSE 1 END
    + CASE WHEN spec_id IS NULL THEN 0 ELSE 1 END = 1)
);
INSERT INTO comments_anew (workspace_id, id, project_id, document_id, body, passage, passage_start, passage_lost,
  author_id, created_at, resolved_by, resolved_at)
SELECT workspace_id, id, project_id, document_id, body, passage, passage_start, passage_lost, author_id, created_at,
  resolved_by, resolved_at FROM comments;
DROP TABLE comments;
ALTER TABLE comments_anew RENAME TO comments;
CREATE INDEX comments_by_document ON comments (workspace_id, document_id, id);
CREATE INDEX comments_by_action ON comments (workspace_id, action_id, id);
CREATE INDEX comments_by_spec ON comments (workspace_id, spec_id, id);
CREATE INDEX comments_by_project ON comments (workspace_id, project_id, id);
CREATE INDEX comments_open ON comments (workspace_id, project_id, id) WHERE resolved_at IS NULL;
