-- What was dropped holds back what waits for it until a person decides that it goes on (domain/prerequisite.py). Nobody has
-- decided about what was dropped before, so all of it that others wait for stands in the inbox.
ALTER TABLE actions ADD COLUMN drop_accepted_at BIGINT CHECK (drop_accepted_at IS NULL OR state = 'wont_do');
ALTER TABLE actions ADD COLUMN drop_accepted_by TEXT;
CREATE INDEX actions_dropped ON actions (workspace_id, id, project_id)
  WHERE state = 'wont_do' AND drop_accepted_at IS NULL;
