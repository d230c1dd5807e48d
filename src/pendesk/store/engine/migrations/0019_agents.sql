-- An agent is a program that works for a user; a session is one terminal or run of it, recognised by its marks
-- (domain/agent_session.py). token_id of an agent is set where only its personal token tells it apart.
CREATE TABLE agents (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  client TEXT NOT NULL,
  machine TEXT NOT NULL,
  token_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT agents_identity UNIQUE (workspace_id, user_id, client, machine, token_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE TABLE agent_sessions (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  model TEXT,
  started_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id)
);
CREATE INDEX agent_sessions_by_agent ON agent_sessions (workspace_id, agent_id, last_seen_at);
CREATE INDEX agent_sessions_by_token ON agent_sessions (workspace_id, token_id);
CREATE TABLE agent_session_marks (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  mark TEXT NOT NULL,
  session_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, mark),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id)
);
CREATE INDEX agent_session_marks_by_session ON agent_session_marks (workspace_id, session_id);
-- Null where a person took it in person.
ALTER TABLE claims ADD COLUMN session_id TEXT;
ALTER TABLE claims ADD COLUMN thread_id TEXT;
ALTER TABLE claims ADD COLUMN tool_use_id TEXT;
CREATE INDEX claims_by_session ON claims (workspace_id, session_id);
ALTER TABLE events ADD COLUMN agent_session_id TEXT;

-- What was claimed before belongs to an agent per token or grant, with one session. Their ids serve again.
INSERT INTO agents (workspace_id, id, user_id, name, client, machine, token_id, created_at)
SELECT c.workspace_id, c.token_id, min(c.user_id),
  coalesce(
    (SELECT t.name FROM tokens t WHERE t.workspace_id = c.workspace_id AND t.id = c.token_id),
    (SELECT g.client_name FROM oauth_grants g WHERE g.workspace_id = c.workspace_id AND g.id = c.token_id),
    'Agent'),
  '', '', c.token_id, min(c.taken_at)
FROM claims c WHERE c.token_id IS NOT NULL GROUP BY c.workspace_id, c.token_id;
INSERT INTO agent_sessions (workspace_id, id, agent_id, token_id, number, model, started_at, last_seen_at)
SELECT c.workspace_id, c.token_id, c.token_id, c.token_id, 1, max(c.agent_model), min(c.taken_at), max(c.renewed_at)
FROM claims c WHERE c.token_id IS NOT NULL GROUP BY c.workspace_id, c.token_id;
UPDATE claims SET session_id = token_id;
