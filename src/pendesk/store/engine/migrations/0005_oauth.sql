-- The authorization server: see store/clients.py, consents.py, codes.py, grants.py, devices.py.

-- An access token is a token that belongs to a grant.
ALTER TABLE tokens ADD COLUMN grant_id TEXT;
CREATE INDEX tokens_by_grant ON tokens (workspace_id, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX access_tokens_by_expiry ON tokens (expires_at) WHERE grant_id IS NOT NULL;

-- 1: signed in by password, which speaks for the person in all their workspaces; a link speaks for one only.
ALTER TABLE sessions ADD COLUMN everywhere BIGINT NOT NULL DEFAULT 0;

-- A client belongs to no workspace: it registers before anyone has signed in. Its name is what it calls itself.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('registered', 'document')),
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT,
  fetched_at BIGINT
);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at, id) WHERE used_at IS NULL;

-- A consent page that was shown to one session and not answered yet. Answering removes the row.
CREATE TABLE oauth_consents (
  hash TEXT PRIMARY KEY,
  session_hash TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT,
  state TEXT,
  challenge TEXT,
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  device_hash TEXT,
  expires_at BIGINT NOT NULL
);
CREATE INDEX oauth_consents_by_expiry ON oauth_consents (expires_at);

CREATE TABLE oauth_grants (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  refreshed_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX oauth_grants_by_user ON oauth_grants (workspace_id, user_id);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id) WHERE revoked_at IS NULL;

-- grant_id tells what a code gave: who uses it a second time takes that away.
CREATE TABLE oauth_codes (
  hash TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  grant_id TEXT,
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);
CREATE INDEX oauth_codes_by_user ON oauth_codes (workspace_id, user_id);

CREATE TABLE oauth_refresh_tokens (
  hash TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  grant_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  FOREIGN KEY (workspace_id, grant_id) REFERENCES oauth_grants (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (workspace_id, grant_id);
CREATE INDEX oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at);

-- A program without a browser that waits for a person. The code they type is short, so what is kept is made with
-- the server's key, which is not in the database.
CREATE TABLE oauth_devices (
  hash TEXT PRIMARY KEY,
  user_code_mac TEXT NOT NULL CONSTRAINT oauth_devices_user_code UNIQUE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  interval_s BIGINT NOT NULL,
  polled_at BIGINT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
  workspace_id TEXT,
  user_id TEXT
);
CREATE INDEX oauth_devices_by_expiry ON oauth_devices (expires_at);
