-- The newest texts of each kind, of a project or of the workspace: what search looks through before its index.
DROP INDEX search_texts_by_project;
CREATE INDEX search_texts_by_project ON search_texts (workspace_id, project_id, kind, object_id);
CREATE INDEX search_texts_by_kind ON search_texts (workspace_id, kind, object_id);
