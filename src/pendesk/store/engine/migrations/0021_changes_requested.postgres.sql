ALTER TABLE actions DROP CONSTRAINT actions_state_check;
ALTER TABLE actions ADD CONSTRAINT actions_state_check CHECK (
  state IN ('backlog', 'scope', 'todo', 'in_progress', 'in_review', 'changes_requested', 'done', 'wont_do'));
UPDATE actions SET state = 'changes_requested', state_reason = NULL
WHERE state = 'in_review' AND state_reason = 'changes_requested';
