-- Where a submission departs from what was agreed (domain/deviation.py). rule: the text of the boundary or condition that
-- says so. subjects: a JSON list of paths, commits, dependencies or the command; total: of all, where some are left out.
CREATE TABLE deviations (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  kind TEXT NOT NULL,
  rule TEXT,
  subjects TEXT NOT NULL,
  total BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'requested')),
  decided_by TEXT,
  decided_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id)
);
CREATE INDEX deviations_by_submission ON deviations (workspace_id, submission_id, position);
CREATE INDEX deviations_by_action ON deviations (workspace_id, action_id);

-- What an agent says of the commands that a spec requires to pass.
CREATE TABLE command_results (
  workspace_id TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  command TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed')),
  evidence TEXT NOT NULL,
  PRIMARY KEY (workspace_id, submission_id, position),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id)
);
