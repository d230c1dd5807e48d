-- Facts about the whole installation, one row each: see store/installation.py.
CREATE TABLE installation (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- The sweeper of the attachment folder asks by key, over all workspaces.
CREATE INDEX attachments_by_storage_key ON attachments (storage_key);
