-- Whom a comment mentions: a person, whose inbox has it until it was read, or an agent, to which it is news until one of
-- its sessions was told. event_id: of the event that said so.
CREATE TABLE mentions (
  workspace_id TEXT NOT NULL,
  comment_id TEXT NOT NULL,
  name TEXT NOT NULL,
  user_id TEXT,
  agent_id TEXT,
  event_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  settled_at BIGINT,
  PRIMARY KEY (workspace_id, comment_id, name),
  FOREIGN KEY (workspace_id, comment_id) REFERENCES comments (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id),
  CHECK ((user_id IS NULL) <> (agent_id IS NULL))
);
CREATE INDEX mentions_unread ON mentions (workspace_id, user_id, created_at, comment_id)
  WHERE user_id IS NOT NULL AND settled_at IS NULL;
CREATE INDEX mentions_untold ON mentions (workspace_id, agent_id, event_id)
  WHERE agent_id IS NOT NULL AND settled_at IS NULL;
CREATE INDEX mentions_by_agent ON mentions (workspace_id, agent_id) WHERE agent_id IS NOT NULL;
