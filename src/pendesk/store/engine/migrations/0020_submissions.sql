-- Work without a pull request: a submission names its branch instead, and the head it is judged by.
ALTER TABLE submissions ALTER COLUMN pr_url DROP NOT NULL;
ALTER TABLE submissions ADD COLUMN branch TEXT;

-- How a criterion stands is decided by the newest result of each outcome and the newest fresh evidence of each level:
-- one step in an index for each, however many there are.
DROP INDEX test_results_by_criterion;
CREATE INDEX test_results_by_criterion ON test_results (workspace_id, criterion_id, outcome, reported_at, id);
CREATE INDEX evidence_fresh ON evidence (workspace_id, criterion_id, level, given_at, id) WHERE stale_reason IS NULL;
