-- Full-text search: FTS5 beside the texts it indexes, kept by triggers. The words are cut by domain/search.py, so
-- that both engines find the same; title and body (its beginning) are what a result shows.
CREATE TABLE search_texts (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'action', 'document', 'note')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  title_words TEXT NOT NULL,
  body_words TEXT NOT NULL,
  UNIQUE (workspace_id, object_id)
);
CREATE VIRTUAL TABLE search_index USING fts5 (
  title_words, body_words, content = 'search_texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TRIGGER search_texts_added AFTER INSERT ON search_texts BEGIN
  INSERT INTO search_index (rowid, title_words, body_words) VALUES (new.id, new.title_words, new.body_words);
END;
CREATE TRIGGER search_texts_changed AFTER UPDATE ON search_texts BEGIN
  INSERT INTO search_index (search_index, rowid, title_words, body_words)
  VALUES ('delete', old.id, old.title_words, old.body_words);
  INSERT INTO search_index (rowid, title_words, body_words) VALUES (new.id, new.title_words, new.body_words);
END;
CREATE TRIGGER search_texts_removed AFTER DELETE ON search_texts BEGIN
  INSERT INTO search_index (search_index, rowid, title_words, body_words)
  VALUES ('delete', old.id, old.title_words, old.body_words);
END;
