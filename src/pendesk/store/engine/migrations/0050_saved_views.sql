-- The filters, order and groups of a board or a list under a name (domain/saved_view.py): for the one who saved them, or for
-- all of the project.
CREATE TABLE saved_views (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  page TEXT NOT NULL CHECK (page IN ('board', 'list')),
  query TEXT NOT NULL,
  shared SMALLINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX saved_views_by_project ON saved_views (workspace_id, project_id, owner_id);
