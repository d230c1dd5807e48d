-- What guests sent and nobody has looked at, the oldest first; the project is there so that counting reads no row.
CREATE INDEX inbox_items_pending ON inbox_items (workspace_id, created_at, id, project_id) WHERE status = 'pending';
