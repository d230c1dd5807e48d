-- Full-text search: a generated vector, title before body. The words are cut by domain/search.py, so that both
-- engines find the same; title and body (its beginning) are what a result shows.
CREATE TABLE search_texts (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'action', 'document', 'note')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  title_words TEXT NOT NULL,
  body_words TEXT NOT NULL,
  words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('simple', title_words), 'A') || setweight(to_tsvector('simple', body_words), 'B')
  ) STORED,
  UNIQUE (workspace_id, object_id)
);
CREATE INDEX search_texts_words ON search_texts USING gin (words);
-- The counters are one hot row a workspace: room on the page lets every update stay there.
ALTER TABLE event_counters SET (fillfactor = 10);
