-- Work without a pull request: a submission names its branch instead, and the head it is judged by.
ALTER TABLE submissions ALTER COLUMN pr_url DROP NOT NULL;
ALTER TABLE submissions ADD COLUMN branch TEXT;

-- What an agent submits although it does not hold, and why.
CREATE TABLE unmet_criteria (
  workspace_id TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  criterion_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (workspace_id, submission_id, criterion_id),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id)
);
CREATE INDEX unmet_criteria_by_criterion ON unmet_criteria (workspace_id, criterion_id);

-- 1: work without evidence for every criterion is refused.
ALTER TABLE projects ADD COLUMN require_evidence BIGINT;

-- How a criterion stands is decided by the newest result of each outcome and the newest fresh evidence of each level:
-- one step in an index for each, however many there are.
DROP INDEX test_results_by_criterion;
CREATE INDEX test_results_by_criterion ON test_results (workspace_id, criterion_id, outcome, reported_at, id);
CREATE INDEX evidence_fresh ON evidence (workspace_id, criterion_id, level, given_at, id) WHERE stale_reason IS NULL;
