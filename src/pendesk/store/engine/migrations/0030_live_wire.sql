-- What the hooks of clients report of agent sessions (domain/session_activity.py): what each does now, and its last
-- steps. Outside of the sealed log: it is thrown away after some days.
CREATE TABLE session_activity (
  workspace_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('working', 'waiting_permission', 'idle', 'ended')),
  state_since BIGINT NOT NULL,
  last_step_at BIGINT NOT NULL,
  thread TEXT NOT NULL,
  tool TEXT NOT NULL,
  detail TEXT NOT NULL,
  project_id TEXT,
  PRIMARY KEY (workspace_id, session_id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id)
);
CREATE INDEX session_activity_by_project ON session_activity (workspace_id, project_id);
CREATE TABLE session_steps (
  workspace_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  thread TEXT NOT NULL,
  thread_kind TEXT NOT NULL,
  event TEXT NOT NULL,
  tool TEXT NOT NULL,
  detail TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (workspace_id, session_id, id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id)
);
CREATE INDEX session_steps_by_age ON session_steps (started_at);
CREATE INDEX session_steps_by_session ON session_steps (workspace_id, session_id, started_at, id);
CREATE INDEX session_steps_open ON session_steps (workspace_id, session_id) WHERE ended_at IS NULL;

-- What people tell agents at work: to a session, to whoever holds an action, or to all who work in a project.
CREATE TABLE messages (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT,
  action_id TEXT,
  session_id TEXT,
  author_id TEXT NOT NULL,
  text TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  event_seq BIGINT NOT NULL,
  cancelled_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id),
  FOREIGN KEY (workspace_id, author_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX messages_by_session ON messages (workspace_id, session_id, sent_at);
CREATE INDEX messages_by_action ON messages (workspace_id, action_id, sent_at);
CREATE INDEX messages_by_project ON messages (workspace_id, project_id, sent_at);
CREATE INDEX messages_by_event ON messages (workspace_id, event_seq);
CREATE TABLE message_deliveries (
  workspace_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  delivered_at BIGINT,
  delivered_by TEXT CHECK (delivered_by IN ('hook', 'tool')),
  acknowledged_at BIGINT,
  acknowledgement TEXT,
  PRIMARY KEY (workspace_id, message_id, session_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id)
);
CREATE INDEX message_deliveries_by_session ON message_deliveries (workspace_id, session_id, acknowledged_at, message_id);

-- A person paused or stopped a session. It is in force until a person prompts the session or takes it back.
CREATE TABLE session_controls (
  workspace_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('pause', 'stop')),
  reason TEXT NOT NULL,
  author_id TEXT NOT NULL,
  requested_at BIGINT NOT NULL,
  event_seq BIGINT NOT NULL,
  applied_at BIGINT,
  PRIMARY KEY (workspace_id, session_id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id),
  FOREIGN KEY (workspace_id, author_id) REFERENCES members (workspace_id, user_id)
);

-- The last hook call of a session; null where none was seen.
ALTER TABLE agent_sessions ADD COLUMN hooks_at BIGINT;
-- Steps keep a lease for some hours past the last call about its action; null: renewed_at was such a call.
ALTER TABLE claims ADD COLUMN last_call_at BIGINT;
-- When its session was asked, at the end of a turn, to submit or release.
ALTER TABLE claims ADD COLUMN stop_asked_at BIGINT;
-- 0: the steps of sessions that work in it are not saved; null stands for 1.
ALTER TABLE projects ADD COLUMN keeps_activity BIGINT CHECK (keeps_activity IN (0, 1));
CREATE INDEX projects_without_activity ON projects (workspace_id, id) WHERE keeps_activity = 0;
