-- Full-text search: FTS5 beside the texts it indexes, kept by triggers.
CREATE TABLE search_texts (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'action', 'document', 'note')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (workspace_id, object_id)
);
CREATE VIRTUAL TABLE search_index USING fts5 (
  title, body, content = 'search_texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER search_texts_added AFTER INSERT ON search_texts BEGIN
  INSERT INTO search_index (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER search_texts_changed AFTER UPDATE ON search_texts BEGIN
  INSERT INTO search_index (search_index, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
  INSERT INTO search_index (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER search_texts_removed AFTER DELETE ON search_texts BEGIN
  INSERT INTO search_index (search_index, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
END;
