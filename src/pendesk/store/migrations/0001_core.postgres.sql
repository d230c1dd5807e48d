-- Full-text search: a generated vector, title before body. 'simple' because texts are of any language; the
-- punctuation goes first because PostgreSQL would keep paths and hosts as one word, where SQLite splits them.
CREATE TABLE search_texts (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'action', 'document', 'note')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('simple', translate(title, '/.@:-_~#=&?+', '            ')), 'A')
    || setweight(to_tsvector('simple', translate(body, '/.@:-_~#=&?+', '            ')), 'B')
  ) STORED,
  UNIQUE (workspace_id, object_id)
);
CREATE INDEX search_texts_words ON search_texts USING gin (words);
-- The counters are one hot row a workspace: room on the page lets every update stay there.
ALTER TABLE event_counters SET (fillfactor = 10);
