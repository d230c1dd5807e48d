-- What waits for people is found by what is open, however large the workspace is.
CREATE INDEX clarifications_waiting ON clarifications (workspace_id, asked_at, id) WHERE answered_at IS NULL;
CREATE INDEX actions_in_review ON actions (workspace_id, id) WHERE state = 'in_review';
