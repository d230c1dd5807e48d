-- What came with an imported project and has no other place.

-- Someone whom a file names and who has no account here: a user without email and password, and a member who was
-- removed before ever joining. The address is kept for the next export only; nothing signs anyone in by it.
CREATE TABLE imported_people (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  email TEXT NOT NULL,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);

-- What happened to a project before it came here, as its file tells it. Not part of the log: see
-- docs/internals/events.md.
CREATE TABLE imported_events (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  actor_id TEXT,
  agent_model TEXT,
  door TEXT NOT NULL,
  object_id TEXT NOT NULL,
  spec_id TEXT,
  action_id TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, number),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX imported_events_by_action ON imported_events (workspace_id, action_id, number) WHERE action_id IS NOT NULL;
