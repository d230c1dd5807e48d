-- What was dropped holds back what waits for it until a person decides that it goes on (domain/prerequisite.py). Nobody has
-- decided about what was dropped before, so all of it that others wait for stands in the inbox.
ALTER TABLE actions ADD COLUMN drop_accepted_at BIGINT CHECK (drop_accepted_at IS NULL OR state = 'wont_do');
ALTER TABLE actions ADD COLUMN drop_accepted_by TEXT;
CREATE INDEX actions_dropped ON actions (workspace_id, id, project_id)
  WHERE state = 'wont_do' AND drop_accepted_at IS NULL;

-- With the project in it, so that a count reads no row: otherwise SQLite goes through every action of the workspace by
-- an index that has it.
DROP INDEX actions_in_review;
CREATE INDEX actions_in_review ON actions (workspace_id, id, project_id) WHERE state = 'in_review';
