-- What people decided about an agent session's work, until that session has read it (operations/session_news.py). Rows
-- of their own instead of a number in agent_sessions: a verdict then waits for no call of the session, nor it for one.
CREATE TABLE agent_session_news (
  workspace_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  event_seq BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, session_id, event_seq),
  FOREIGN KEY (workspace_id, session_id) REFERENCES agent_sessions (workspace_id, id)
);
-- What was unread when this came; but not that work was approved long ago.
INSERT INTO agent_session_news (workspace_id, session_id, event_seq)
SELECT c.workspace_id, c.session_id, e.seq
FROM actions a
JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
JOIN events e ON e.workspace_id = a.workspace_id AND e.action_id = a.id AND e.seq > c.told_seq AND e.seq <= a.news_seq
WHERE a.news_seq > c.told_seq AND a.state IN ('in_progress', 'changes_requested')
  AND e.kind IN ('clarification.answered', 'action.reviewed');

-- Requested changes that nobody works on wait for people, like what 0009 has indexes for.
CREATE INDEX actions_changes_requested ON actions (workspace_id, id, project_id) WHERE state = 'changes_requested';

-- What its user calls it (PENDESK_SESSION), as it is shown; the mark itself is a hash.
ALTER TABLE agent_sessions ADD COLUMN name TEXT NOT NULL DEFAULT '';

-- A key belongs to the session that chose it; '' where there is none. The table is made anew for its primary key.
CREATE TABLE idempotency_keys_before AS SELECT * FROM idempotency_keys;
DROP TABLE idempotency_keys;
CREATE TABLE idempotency_keys (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  stored_at BIGINT NOT NULL,
  CONSTRAINT idempotency_keys_once PRIMARY KEY (workspace_id, user_id, key, session_id)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (stored_at);
INSERT INTO idempotency_keys (workspace_id, user_id, key, session_id, operation, body_hash, answer, stored_at)
SELECT workspace_id, user_id, key, '', operation, body_hash, answer, stored_at FROM idempotency_keys_before;
DROP TABLE idempotency_keys_before;
