-- What GitHub tells about a project's repository.

-- A project's webhook. Its secret is derived from the server's key and these columns, so no secret lies here:
-- another generation is another secret. The row stays when the webhook is removed, so that none comes back.
-- last_number counts deliveries; the row is locked by everything that brings commits or checks of the project.
CREATE TABLE github_webhooks (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  generation BIGINT NOT NULL,
  set_by TEXT NOT NULL,
  set_at BIGINT NOT NULL,
  removed_at BIGINT,
  last_number BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
-- GitHub names the project, not the workspace.
CREATE INDEX github_webhooks_by_project ON github_webhooks (project_id);

-- The newest deliveries. The id is a header that nobody signs, so the signed body's digest counts as well.
CREATE TABLE github_deliveries (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  delivery_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, number),
  CONSTRAINT github_deliveries_id UNIQUE (workspace_id, project_id, delivery_id),
  CONSTRAINT github_deliveries_digest UNIQUE (workspace_id, project_id, digest),
  FOREIGN KEY (workspace_id, project_id) REFERENCES github_webhooks (workspace_id, project_id)
);

-- updated_at is GitHub's time: deliveries may come in any order, and the newest wins.
CREATE TABLE pull_requests (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'merged')),
  branch TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  merged_at BIGINT,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, number),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);

-- What CI said in its own word, where it has concluded: a skipped check is passed, yet shows nothing.
ALTER TABLE checks ADD COLUMN conclusion TEXT;

-- Whether the agent reported the commit against the action, or only its message or branch names the action.
ALTER TABLE commit_actions ADD COLUMN linked_by TEXT NOT NULL DEFAULT 'agent' CHECK (linked_by IN ('agent', 'webhook'));

CREATE INDEX commit_actions_by_commit ON commit_actions (workspace_id, commit_id);
CREATE INDEX commits_by_branch ON commits (workspace_id, project_id, branch) WHERE branch IS NOT NULL;
CREATE INDEX evidence_by_sha ON evidence (workspace_id, sha) WHERE sha IS NOT NULL;
-- Beginnings only: an index row of PostgreSQL must be small, and GitHub's addresses are short.
CREATE INDEX submissions_by_pr ON submissions (workspace_id, lower(substr(pr_url, 1, 200)));
CREATE INDEX projects_by_repository ON projects (lower(substr(repository_url, 1, 200)))
  WHERE repository_url IS NOT NULL;
