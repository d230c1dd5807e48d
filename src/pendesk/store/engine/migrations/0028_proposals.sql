-- What an agent drafts and a person accepts or rejects (domain/proposal.py). Each version is a row of its own. spec_id is
-- null for a new spec until a person accepts it; action_id is the drafting action that it closes.
CREATE TABLE proposals (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  spec_id TEXT,
  plan_id TEXT,
  action_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'plan')),
  title TEXT NOT NULL,
  base_revision BIGINT NOT NULL,
  version BIGINT NOT NULL,
  previous_id TEXT,
  items TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'partly_accepted', 'rejected', 'superseded')),
  author_id TEXT NOT NULL,
  session_id TEXT,
  client_name TEXT NOT NULL,
  agent_model TEXT,
  created_at BIGINT NOT NULL,
  decided_by TEXT,
  decided_at BIGINT,
  remark TEXT NOT NULL,
  decisions TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX proposals_by_project ON proposals (workspace_id, project_id, state, id);
CREATE INDEX proposals_by_spec ON proposals (workspace_id, spec_id, state, id);
CREATE INDEX proposals_by_action ON proposals (workspace_id, action_id, id);
CREATE INDEX proposals_by_previous ON proposals (workspace_id, previous_id, id);
CREATE INDEX proposals_by_session ON proposals (workspace_id, session_id);
-- What waits for people, like what 0009 has indexes for.
CREATE INDEX proposals_open ON proposals (workspace_id, created_at, id, project_id) WHERE state = 'open';

-- An action by which a person asked for a draft: of a plan for a spec, or of a spec from a note.
CREATE TABLE draft_requests (
  workspace_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'plan')),
  spec_id TEXT,
  note_id TEXT,
  PRIMARY KEY (workspace_id, action_id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, note_id) REFERENCES notes (workspace_id, id)
);
CREATE INDEX draft_requests_by_spec ON draft_requests (workspace_id, spec_id, action_id);
CREATE INDEX draft_requests_by_note ON draft_requests (workspace_id, note_id, action_id);

-- A brief has the documents of its action, in the order of their ids.
DROP INDEX documents_by_action;
CREATE INDEX documents_by_action ON documents (workspace_id, linked_action_id, id) WHERE linked_action_id IS NOT NULL;
