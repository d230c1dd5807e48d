-- Two actions at work that touch the same files (domain/overlap.py), in both directions. It counts while both are at
-- work by the claims that they had at `found_at`; with a count of 0 it is over. told_at: when both agents were told.
CREATE TABLE action_overlaps (
  workspace_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  other_action_id TEXT NOT NULL,
  basis TEXT NOT NULL CHECK (basis IN ('changed', 'declared', 'likely')),
  paths TEXT NOT NULL,
  count BIGINT NOT NULL,
  found_at BIGINT NOT NULL,
  told_at BIGINT,
  PRIMARY KEY (workspace_id, action_id, other_action_id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, other_action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX action_overlaps_by_other ON action_overlaps (workspace_id, other_action_id);

-- The files that a commit touches, as a webhook says.
CREATE TABLE commit_paths (
  workspace_id TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (workspace_id, commit_id, path),
  FOREIGN KEY (workspace_id, commit_id) REFERENCES commits (workspace_id, id)
);

-- 1: what touches files that are being worked on cannot be claimed; null stands for 0.
ALTER TABLE projects ADD COLUMN refuse_overlap BIGINT CHECK (refuse_overlap IN (0, 1));
