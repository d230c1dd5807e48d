-- Whom the log is told to. The secret is derived from the server's key, the id and the generation, so none lies here.
-- cursor: every event up to it is dealt with. attempts: of the event after it. kinds is a JSON list of words.
-- Who delivers holds the lease; it lapses by itself when a server dies.
CREATE TABLE outgoing_webhooks (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('json', 'slack')),
  kinds TEXT NOT NULL,
  project_id TEXT,
  generation BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'failing')),
  cursor BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  failing_since BIGINT,
  next_at BIGINT NOT NULL,
  leased_by TEXT NOT NULL,
  leased_until BIGINT NOT NULL,
  last_number BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- The newest deliveries of each. seq is the event's number; a ping has none.
CREATE TABLE webhook_deliveries (
  workspace_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  delivery_id TEXT NOT NULL,
  seq BIGINT,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'retrying', 'failed')),
  attempts BIGINT NOT NULL,
  status BIGINT,
  error TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  tried_at BIGINT,
  PRIMARY KEY (workspace_id, webhook_id, number),
  CONSTRAINT webhook_deliveries_id UNIQUE (workspace_id, webhook_id, delivery_id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES outgoing_webhooks (workspace_id, id)
);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (workspace_id, webhook_id, number)
  WHERE state = 'pending';
