-- How many actions of a project were made, done and dropped on which day (UTC), so that nobody counts them. A change
-- adds a row of its own, and no writer waits for another; the server folds them into the one without an id. What is
-- older than a year stands under day 0. See docs/internals/storage.md.
CREATE TABLE action_tallies (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('made', 'done', 'wont_do')),
  day BIGINT NOT NULL,
  id TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, kind, day, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX action_tallies_unfolded ON action_tallies (workspace_id, project_id) WHERE id <> '';

INSERT INTO action_tallies (workspace_id, project_id, kind, day, id, count)
SELECT workspace_id, project_id, 'made', created_at / 86400000000, '', count(*) FROM actions GROUP BY 1, 2, 4;
INSERT INTO action_tallies (workspace_id, project_id, kind, day, id, count)
SELECT a.workspace_id, a.project_id, a.state, coalesce((
    SELECT max(r.reviewed_at) FROM reviews r
    WHERE r.workspace_id = a.workspace_id AND r.action_id = a.id AND r.verdict = 'approved' AND a.state = 'done'
  ), a.updated_at) / 86400000000, '', count(*)
FROM actions a WHERE a.state IN ('done', 'wont_do') GROUP BY 1, 2, 3, 4;

-- What is closed, the newest first: of a project for its board, of all for the insights. An index of all actions would
-- have PostgreSQL write an entry with every claim.
CREATE INDEX actions_closed ON actions (workspace_id, project_id, state, updated_at, ref_number)
  WHERE state IN ('done', 'wont_do');
CREATE INDEX actions_closed_in_all ON actions (workspace_id, state, updated_at, id) WHERE state IN ('done', 'wont_do');

-- In the order of a list.
DROP INDEX actions_by_assigned_user;
CREATE INDEX actions_by_assigned_user ON actions (workspace_id, assignee_user_id, project_id, ref_number)
  WHERE assignee_user_id IS NOT NULL;
DROP INDEX actions_by_assigned_agent;
CREATE INDEX actions_by_assigned_agent ON actions (workspace_id, assignee_agent_id, project_id, ref_number)
  WHERE assignee_agent_id IS NOT NULL;
-- Which agents call with a token, without going through all their sessions.
DROP INDEX agent_sessions_by_token;
CREATE INDEX agent_sessions_by_token ON agent_sessions (workspace_id, token_id, agent_id);
-- What is not published yet.
CREATE INDEX specs_drafted ON specs (workspace_id, id) WHERE build_id IS NULL;
-- What is resolved becomes ever more.
CREATE INDEX comments_open ON comments (workspace_id, project_id, id) WHERE resolved_at IS NULL;
-- Areas and labels are read from what a board looks at.
DROP INDEX actions_by_labels;
