-- How a claim lives: a lease of a building agent, the hold of an agent that works on a plain task, or a person's.
ALTER TABLE claims ADD COLUMN kind TEXT NOT NULL DEFAULT 'lease' CHECK (kind IN ('lease', 'task', 'person'));
