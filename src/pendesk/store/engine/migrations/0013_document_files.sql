-- A file belongs to a spec or to a document. SQLite cannot loosen a column, so the table is made anew on both engines.
CREATE TABLE attachments_anew (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  spec_id TEXT,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  added_by TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  removed_at BIGINT,
  document_id TEXT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id),
  CHECK ((spec_id IS NULL) <> (document_id IS NULL))
);
INSERT INTO attachments_anew (workspace_id, id, project_id, spec_id, name, media_type, size_bytes, sha256, storage_key,
  added_by, added_at, removed_at)
SELECT workspace_id, id, project_id, spec_id, name, media_type, size_bytes, sha256, storage_key, added_by, added_at,
  removed_at FROM attachments;
DROP TABLE attachments;
ALTER TABLE attachments_anew RENAME TO attachments;
CREATE INDEX attachments_by_spec ON attachments (workspace_id, spec_id, id);
CREATE INDEX attachments_by_document ON attachments (workspace_id, document_id, id);
