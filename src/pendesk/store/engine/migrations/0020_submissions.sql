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

-- A file belongs to a spec, to a document, or to a criterion as evidence. A check without a name cannot be changed on
-- SQLite, so the table is made anew, as by 0013.
CREATE TABLE attachments_anew (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  spec_id TEXT,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  added_by TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  removed_at BIGINT,
  document_id TEXT,
  criterion_id TEXT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id),
  CONSTRAINT attachments_belong_to_one CHECK (
    CASE WHEN spec_id IS NULL THEN 0 ELSE 1 END + CASE WHEN document_id IS NULL THEN 0 ELSE 1 END
    + CASE WHEN criterion_id IS NULL THEN 0 ELSE 1 END = 1)
);
INSERT INTO attachments_anew (workspace_id, id, project_id, spec_id, name, media_type, size_bytes, sha256, storage_key,
  added_by, added_at, removed_at, document_id)
SELECT workspace_id, id, project_id, spec_id, name, media_type, size_bytes, sha256, storage_key, added_by, added_at,
  removed_at, document_id FROM attachments;
DROP TABLE attachments;
ALTER TABLE attachments_anew RENAME TO attachments;
CREATE INDEX attachments_by_spec ON attachments (workspace_id, spec_id, id);
CREATE INDEX attachments_by_document ON attachments (workspace_id, document_id, id);
CREATE INDEX attachments_by_criterion ON attachments (workspace_id, criterion_id, id);
CREATE INDEX attachments_by_project ON attachments (workspace_id, project_id, id);
CREATE INDEX attachments_by_storage_key ON attachments (storage_key);
