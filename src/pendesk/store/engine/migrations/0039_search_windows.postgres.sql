-- In an order of their own, that of the bytes: in the common one PostgreSQL would rather walk the workspace by its key,
-- past all that is of other projects and kinds.
CREATE INDEX search_texts_by_project ON search_texts (workspace_id, project_id, kind, object_id COLLATE "C");
CREATE INDEX search_texts_by_kind ON search_texts (workspace_id, kind, object_id COLLATE "C");
