-- Which session and sub-agent a call of a tool comes from, as its hook said a moment before; SQLite has one process,
-- which remembers it.
CREATE UNLOGGED TABLE tool_uses (
  user_id TEXT NOT NULL,
  tool_use_id TEXT NOT NULL,
  client_session TEXT NOT NULL,
  thread TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (user_id, tool_use_id)
);
CREATE INDEX tool_uses_by_age ON tool_uses (at);
