-- A session as its person sees it: a name that is no secret, how it began, and which browser it is.
ALTER TABLE sessions ADD COLUMN id TEXT;
ALTER TABLE sessions ADD COLUMN began_by TEXT NOT NULL DEFAULT 'link';
ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';
UPDATE sessions SET id = substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-' || substr(hash, 13, 4) || '-'
  || substr(hash, 17, 4) || '-' || substr(hash, 21, 12);
CREATE UNIQUE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sign_in_links_by_user ON sign_in_links (user_id);

-- Someone who is not a member yet may become one, once.
CREATE TABLE invites (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL CONSTRAINT invites_hash UNIQUE,
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX invites_by_expiry ON invites (expires_at);
