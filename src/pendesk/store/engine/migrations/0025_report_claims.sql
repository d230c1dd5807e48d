-- The claim under which a commit or a test result was reported: null of a commit that only a webhook brought.
ALTER TABLE commit_actions ADD COLUMN claim_id TEXT;
ALTER TABLE test_results ADD COLUMN claim_id TEXT;

-- Of what was there: only the holder could report, and each claim has ended before the next begins.
UPDATE commit_actions SET claim_id = (
  SELECT c.id FROM claims c
  WHERE c.workspace_id = commit_actions.workspace_id AND c.action_id = commit_actions.action_id
    AND (c.ended_at IS NULL OR c.ended_at >= commit_actions.linked_at)
  ORDER BY c.fence LIMIT 1
) WHERE linked_by = 'agent';
UPDATE test_results SET claim_id = (
  SELECT c.id FROM claims c
  WHERE c.workspace_id = test_results.workspace_id AND c.action_id = test_results.action_id
    AND (c.ended_at IS NULL OR c.ended_at >= test_results.reported_at)
  ORDER BY c.fence LIMIT 1
);

-- What was sent too late is looked for in every brief, and mostly there is none.
CREATE INDEX events_late ON events (workspace_id, action_id, seq) WHERE kind = 'report.late';
