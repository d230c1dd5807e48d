-- How much long text was written: by the tokens of an account on a day (UTC), and in all under no user and day 0. A
-- process adds to it once there is much to add, so that few writes write it. See docs/internals/storage.md.
CREATE TABLE text_use (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  day BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, day)
);
CREATE INDEX text_use_by_day ON text_use (day);
