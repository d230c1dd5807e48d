-- What a person watches, or does not want to: a project, a spec or an action, of which the nearest decides. Who watches
-- without having said so follows from the record (store/watches.py).
CREATE TABLE watches (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  watching BIGINT NOT NULL CHECK (watching IN (0, 1)),
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, object_id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX watches_by_object ON watches (workspace_id, object_id, user_id, watching);
CREATE INDEX watches_by_project ON watches (workspace_id, project_id);

-- What has happened to an action or a spec since a person who watches it last looked: one row for each, with the newest.
CREATE TABLE watch_news (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  action_id TEXT,
  spec_id TEXT,
  kind TEXT NOT NULL,
  actor_id TEXT,
  session_id TEXT,
  at BIGINT NOT NULL,
  changes BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, object_id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id)
);
CREATE INDEX watch_news_by_project ON watch_news (workspace_id, project_id);
CREATE INDEX watch_news_by_action ON watch_news (workspace_id, action_id);
CREATE INDEX watch_news_by_spec ON watch_news (workspace_id, spec_id);
