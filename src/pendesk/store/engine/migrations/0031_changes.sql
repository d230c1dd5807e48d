-- What the branch of an action does to the code (domain/change.py). The hunks are in a file of the data folder, each
-- file's by itself, so that a page reads no more than it shows. A change without a submission is the one that the next
-- submission of its head takes; another push replaces it. Each submission keeps its own.
CREATE TABLE changes (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  submission_id TEXT,
  source TEXT NOT NULL CHECK (source IN ('push', 'github')),
  base_sha TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  branch TEXT,
  since_sha TEXT,
  commits TEXT NOT NULL,
  files BIGINT NOT NULL,
  added BIGINT NOT NULL,
  removed BIGINT NOT NULL,
  omitted BIGINT NOT NULL,
  storage_key TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  pushed_by TEXT NOT NULL,
  claim_id TEXT,
  pushed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id),
  FOREIGN KEY (workspace_id, claim_id) REFERENCES claims (workspace_id, id)
);
CREATE UNIQUE INDEX changes_pending ON changes (workspace_id, action_id) WHERE submission_id IS NULL;
CREATE UNIQUE INDEX changes_by_submission ON changes (workspace_id, submission_id) WHERE submission_id IS NOT NULL;
CREATE INDEX changes_by_action ON changes (workspace_id, action_id, pushed_at, id);
CREATE INDEX changes_by_project ON changes (workspace_id, project_id);
CREATE INDEX changes_by_claim ON changes (workspace_id, claim_id);
CREATE INDEX changes_by_storage_key ON changes (storage_key);

-- part: change is from base to head; since is from the head of the submission before. omitted: why there are no hunks.
-- start and length: where its hunks are in the stored file. digest: of its hunks, so that a file that did not change
-- between two pushes is known.
CREATE TABLE change_files (
  workspace_id TEXT NOT NULL,
  change_id TEXT NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('change', 'since')),
  position BIGINT NOT NULL,
  path TEXT NOT NULL,
  old_path TEXT,
  status TEXT NOT NULL CHECK (status IN ('added', 'modified', 'deleted', 'renamed', 'copied')),
  kind TEXT NOT NULL CHECK (kind IN ('text', 'binary', 'submodule')),
  added BIGINT NOT NULL,
  removed BIGINT NOT NULL,
  old_size BIGINT,
  new_size BIGINT,
  omitted TEXT,
  digest TEXT NOT NULL,
  start BIGINT NOT NULL,
  length BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, change_id, part, position),
  FOREIGN KEY (workspace_id, change_id) REFERENCES changes (workspace_id, id)
);
CREATE INDEX change_files_by_path ON change_files (workspace_id, change_id, path);

-- Which files a person has looked at: with other hunks a file is to be looked at again.
CREATE TABLE viewed_files (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  path TEXT NOT NULL,
  digest TEXT NOT NULL,
  viewed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, action_id, path),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX viewed_files_by_action ON viewed_files (workspace_id, action_id);
