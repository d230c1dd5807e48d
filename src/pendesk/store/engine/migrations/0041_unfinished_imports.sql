-- Projects of which an import has saved some rows and not all, on SQLite, where it lets others write meanwhile. Their own
-- row comes with the last ones, so nobody sees them until then. The staged file is locked as long as the import runs:
-- what a process left unfinished that has ended is deleted. See docs/internals/storage.md.
CREATE TABLE unfinished_imports (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  project_id TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  begun_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id)
);
