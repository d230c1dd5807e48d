-- With a token the server reads pull requests, checks and changes of a project's repository from GitHub by itself.
CREATE TABLE github_tokens (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  set_by TEXT NOT NULL,
  set_at BIGINT NOT NULL,
  checked_at BIGINT,
  problem TEXT,
  PRIMARY KEY (workspace_id, project_id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);

-- What is still to be read from GitHub for a submission, and when to try.
CREATE TABLE github_fetches (
  workspace_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  problem TEXT,
  PRIMARY KEY (workspace_id, action_id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id)
);
CREATE INDEX github_fetches_due ON github_fetches (due_at);
CREATE INDEX github_fetches_by_submission ON github_fetches (workspace_id, submission_id);

-- heard_at is the server's time; the rest is GitHub's word, null where it said nothing.
ALTER TABLE pull_requests ADD COLUMN base_branch TEXT;
ALTER TABLE pull_requests ADD COLUMN is_draft BIGINT;
ALTER TABLE pull_requests ADD COLUMN merge_state TEXT;
ALTER TABLE pull_requests ADD COLUMN ahead BIGINT;
ALTER TABLE pull_requests ADD COLUMN behind BIGINT;
ALTER TABLE pull_requests ADD COLUMN heard_at BIGINT;
