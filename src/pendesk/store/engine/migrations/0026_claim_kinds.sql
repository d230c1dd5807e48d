-- How a claim lives: a lease of a building agent, the hold of an agent that works on a plain task, or a person's.
ALTER TABLE claims ADD COLUMN kind TEXT NOT NULL DEFAULT 'lease' CHECK (kind IN ('lease', 'task', 'person'));

-- Without those of people: so it is no way to find what is active, for which SQLite would take it.
DROP INDEX claims_by_session;
CREATE INDEX claims_by_session ON claims (workspace_id, session_id) WHERE session_id IS NOT NULL;
