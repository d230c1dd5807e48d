-- Who is to do it (a member, or an agent of one), until when, and what it is filed under. None of them blocks anything.
ALTER TABLE actions ADD COLUMN assignee_user_id TEXT;
ALTER TABLE actions ADD COLUMN assignee_agent_id TEXT CHECK (assignee_agent_id IS NULL OR assignee_user_id IS NULL);
-- A day, as it is written (2026-11-30): it is the same day everywhere.
ALTER TABLE actions ADD COLUMN due_on TEXT;
-- A JSON list of names in lower case, in their order; null where there is none.
ALTER TABLE actions ADD COLUMN labels TEXT;

-- What becomes unassigned when a member leaves; and who has something assigned in a project.
CREATE INDEX actions_by_assigned_user ON actions (workspace_id, assignee_user_id, project_id)
  WHERE assignee_user_id IS NOT NULL;
CREATE INDEX actions_by_assigned_agent ON actions (workspace_id, assignee_agent_id, project_id)
  WHERE assignee_agent_id IS NOT NULL;
-- The labels in use in a project.
CREATE INDEX actions_by_labels ON actions (workspace_id, project_id, labels) WHERE labels IS NOT NULL;
