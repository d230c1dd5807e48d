CREATE INDEX search_texts_by_project ON search_texts (workspace_id, project_id, kind, object_id);
CREATE INDEX search_texts_by_kind ON search_texts (workspace_id, kind, object_id);
