CREATE UNLOGGED TABLE rate_windows (
  token_id TEXT PRIMARY KEY,
  hits BIGINT[] NOT NULL,
  admitted SMALLINT NOT NULL
);
