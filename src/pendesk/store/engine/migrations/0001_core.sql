-- One schema for SQLite and PostgreSQL. Ids are UUID texts, times whole microseconds, JSON is text.
-- The workspace comes first in every key: nothing crosses workspaces, and a table can be split by it.
-- Constraints are the backstop; the rules themselves live in the domain.

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- The email is stored in lower case; agents' own accounts have none.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'agent')),
  email TEXT UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT,
  created_at BIGINT NOT NULL
);

CREATE TABLE members (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  added_at BIGINT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

-- A token speaks for one user in one workspace. Only a hash of it is kept.
CREATE TABLE tokens (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT tokens_hash UNIQUE (hash),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX tokens_by_user ON tokens (workspace_id, user_id);

CREATE TABLE sign_in_links (
  hash TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);

CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT,
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);

CREATE TABLE projects (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'active', 'paused', 'complete', 'archived')),
  repository_url TEXT,
  last_ref BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT projects_key UNIQUE (workspace_id, key)
);

CREATE TABLE goals (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  position BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX goals_by_project ON goals (workspace_id, project_id, position);

-- results, conditions and boundaries are JSON lists of texts.
CREATE TABLE specs (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  goal_id TEXT,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  results TEXT NOT NULL,
  conditions TEXT NOT NULL,
  boundaries TEXT NOT NULL,
  active_plan_id TEXT,
  build_id TEXT,
  build_number BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, goal_id) REFERENCES goals (workspace_id, id)
);
CREATE INDEX specs_by_project ON specs (workspace_id, project_id, id);

CREATE TABLE participants (
  workspace_id TEXT NOT NULL,
  spec_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  added_by TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, spec_id, user_id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE INDEX participants_by_user ON participants (workspace_id, user_id, spec_id);

CREATE TABLE plans (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  spec_id TEXT NOT NULL,
  title TEXT NOT NULL,
  approach TEXT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id)
);
CREATE INDEX plans_by_spec ON plans (workspace_id, spec_id, id);

-- claim_id is the last claim, live or not; fence is its fence, and only grows.
-- news_seq is the newest event that its holder should be told of with the next answer.
CREATE TABLE actions (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  spec_id TEXT,
  plan_id TEXT,
  ref_number BIGINT NOT NULL,
  label TEXT NOT NULL,
  description TEXT NOT NULL,
  area TEXT NOT NULL,
  paths TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('backlog', 'scope', 'todo', 'in_progress', 'in_review', 'done', 'wont_do')),
  state_reason TEXT,
  priority BIGINT NOT NULL,
  position BIGINT NOT NULL,
  x DOUBLE PRECISION,
  y DOUBLE PRECISION,
  fence BIGINT NOT NULL,
  claim_id TEXT,
  news_seq BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT actions_ref UNIQUE (workspace_id, project_id, ref_number),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, plan_id) REFERENCES plans (workspace_id, id)
);
CREATE INDEX actions_by_plan ON actions (workspace_id, plan_id, position);
CREATE INDEX actions_by_state ON actions (workspace_id, project_id, state, id);

CREATE TABLE criteria (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  text TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'seen', 'implemented', 'validated', 'confirmed')),
  revision BIGINT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX criteria_by_action ON criteria (workspace_id, action_id, position);

-- from/to/label are what was drawn; before/after are the order that follows, where the label has one.
CREATE TABLE edges (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  from_action_id TEXT NOT NULL,
  to_action_id TEXT NOT NULL,
  label TEXT NOT NULL
    CHECK (label IN ('blocks', 'depends_on', 'unblocks', 'feeds', 'clarifies', 'enables', 'supports')),
  style TEXT,
  before_id TEXT,
  after_id TEXT,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT edges_once UNIQUE (workspace_id, from_action_id, to_action_id, label),
  FOREIGN KEY (workspace_id, from_action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, to_action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX edges_by_project ON edges (workspace_id, project_id, id);
CREATE INDEX edges_before ON edges (workspace_id, before_id, after_id);
CREATE INDEX edges_after ON edges (workspace_id, after_id, before_id);
CREATE INDEX edges_to ON edges (workspace_id, to_action_id);

-- A build is never changed. The one that specs.build_id names is current; the others are superseded.
CREATE TABLE builds (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  spec_id TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  snapshot TEXT NOT NULL,
  published_by TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT builds_number UNIQUE (workspace_id, spec_id, number),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id),
  FOREIGN KEY (workspace_id, plan_id) REFERENCES plans (workspace_id, id)
);

CREATE TABLE build_actions (
  workspace_id TEXT NOT NULL,
  build_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  snapshot TEXT NOT NULL,
  brief_rev TEXT NOT NULL,
  PRIMARY KEY (workspace_id, build_id, action_id),
  FOREIGN KEY (workspace_id, build_id) REFERENCES builds (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);

-- active: the lease (live or expired). submitted: handed over, slot freed. The others are history.
CREATE TABLE claims (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  token_id TEXT,
  agent_model TEXT,
  fence BIGINT NOT NULL,
  build_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('active', 'submitted', 'released', 'lost', 'dropped', 'done')),
  taken_at BIGINT NOT NULL,
  renewed_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  told_seq BIGINT NOT NULL,
  seen_build_id TEXT,
  seen_revision BIGINT,
  seen_rev TEXT,
  last_message TEXT,
  last_message_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT claims_fence UNIQUE (workspace_id, action_id, fence),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
);
CREATE UNIQUE INDEX claims_one_active ON claims (workspace_id, action_id) WHERE state = 'active';
CREATE INDEX claims_active_by_user ON claims (workspace_id, user_id) WHERE state = 'active';

CREATE TABLE clarifications (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  question TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  answer TEXT,
  answered_by TEXT,
  answered_at BIGINT,
  answered_door TEXT,
  relayed SMALLINT NOT NULL,
  written_back_revision BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX clarifications_by_action ON clarifications (workspace_id, action_id, id);

-- One record per SHA and project, whoever brings it first (the agent or the webhook).
CREATE TABLE commits (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  sha TEXT NOT NULL,
  message TEXT NOT NULL,
  files_changed BIGINT,
  branch TEXT,
  source TEXT NOT NULL CHECK (source IN ('agent', 'webhook')),
  reported_by TEXT,
  reported_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT commits_sha UNIQUE (workspace_id, project_id, sha),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);

CREATE TABLE commit_actions (
  workspace_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  linked_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, action_id, commit_id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, commit_id) REFERENCES commits (workspace_id, id)
);

CREATE TABLE commit_criteria (
  workspace_id TEXT NOT NULL,
  criterion_id TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, criterion_id, commit_id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id),
  FOREIGN KEY (workspace_id, commit_id) REFERENCES commits (workspace_id, id)
);

CREATE TABLE test_results (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  criterion_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed')),
  evidence TEXT NOT NULL,
  sha TEXT,
  reported_by TEXT NOT NULL,
  reported_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id)
);
CREATE INDEX test_results_by_action ON test_results (workspace_id, action_id, id);

-- CI's word on a SHA, from the webhook; the newest state of each named check.
CREATE TABLE checks (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  sha TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'passed', 'failed')),
  url TEXT,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, sha, name),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);

-- Bound to the criterion's revision and, where known, to a commit. Stale evidence keeps its row and says why.
CREATE TABLE evidence (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  criterion_id TEXT NOT NULL,
  criterion_revision BIGINT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('claimed', 'artifact', 'ci', 'human')),
  sha TEXT,
  text TEXT NOT NULL,
  source_id TEXT NOT NULL,
  given_by TEXT,
  given_at BIGINT NOT NULL,
  stale_reason TEXT,
  stale_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id)
);
CREATE INDEX evidence_by_action ON evidence (workspace_id, action_id, id);
CREATE INDEX evidence_by_criterion ON evidence (workspace_id, criterion_id, id);

CREATE TABLE submissions (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  claim_id TEXT NOT NULL,
  build_id TEXT,
  number BIGINT NOT NULL,
  pr_url TEXT NOT NULL,
  summary TEXT NOT NULL,
  head_sha TEXT,
  submitted_by TEXT NOT NULL,
  submitted_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT submissions_number UNIQUE (workspace_id, action_id, number),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id),
  FOREIGN KEY (workspace_id, claim_id) REFERENCES claims (workspace_id, id)
);

CREATE TABLE reviews (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  submission_id TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'changes_requested')),
  summary TEXT NOT NULL,
  head_sha TEXT,
  reviewed_by TEXT NOT NULL,
  reviewed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT reviews_once UNIQUE (workspace_id, submission_id),
  FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id)
);
CREATE INDEX reviews_by_action ON reviews (workspace_id, action_id, id);

CREATE TABLE review_verdicts (
  workspace_id TEXT NOT NULL,
  review_id TEXT NOT NULL,
  criterion_id TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('confirmed', 'rejected')),
  note TEXT NOT NULL,
  PRIMARY KEY (workspace_id, review_id, criterion_id),
  FOREIGN KEY (workspace_id, review_id) REFERENCES reviews (workspace_id, id),
  FOREIGN KEY (workspace_id, criterion_id) REFERENCES criteria (workspace_id, id)
);

-- What the reviewer asked for; each needs a disposition when the work is handed in again.
CREATE TABLE review_items (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  review_id TEXT NOT NULL,
  criterion_id TEXT,
  text TEXT NOT NULL,
  disposition TEXT CHECK (disposition IN ('fixed', 'declined', 'deferred')),
  disposition_note TEXT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, review_id) REFERENCES reviews (workspace_id, id)
);
CREATE INDEX review_items_by_action ON review_items (workspace_id, action_id, id);

CREATE TABLE documents (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  parent_id TEXT,
  linked_action_id TEXT,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  status_line TEXT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, parent_id) REFERENCES documents (workspace_id, id),
  FOREIGN KEY (workspace_id, linked_action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX documents_by_project ON documents (workspace_id, project_id, id);

CREATE TABLE notes (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  revision BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX notes_by_project ON notes (workspace_id, project_id, id);

CREATE TABLE comments (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  document_id TEXT NOT NULL,
  body TEXT NOT NULL,
  passage TEXT,
  passage_start BIGINT,
  passage_lost SMALLINT NOT NULL,
  author_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  resolved_by TEXT,
  resolved_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id)
);
CREATE INDEX comments_by_document ON comments (workspace_id, document_id, id);
CREATE INDEX comments_by_project ON comments (workspace_id, project_id, id);

CREATE TABLE agent_runs (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  action_id TEXT,
  user_id TEXT NOT NULL,
  label TEXT NOT NULL,
  model TEXT,
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
  tokens BIGINT,
  cost_micros BIGINT,
  result TEXT,
  started_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX agent_runs_by_project ON agent_runs (workspace_id, project_id, id);

-- The bytes lie in the attachment folder under storage_key, never under the name.
CREATE TABLE attachments (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  spec_id TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  added_by TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, spec_id) REFERENCES specs (workspace_id, id)
);
CREATE INDEX attachments_by_spec ON attachments (workspace_id, spec_id, id);

CREATE TABLE shares (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  action_id TEXT,
  hash TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT shares_hash UNIQUE (hash),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);
CREATE INDEX shares_by_project ON shares (workspace_id, project_id, id);

CREATE TABLE inbox_items (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  share_id TEXT NOT NULL,
  guest_name TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected')),
  created_at BIGINT NOT NULL,
  triaged_by TEXT,
  triaged_at BIGINT,
  action_id TEXT,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id),
  FOREIGN KEY (workspace_id, share_id) REFERENCES shares (workspace_id, id),
  FOREIGN KEY (workspace_id, action_id) REFERENCES actions (workspace_id, id)
);
CREATE INDEX inbox_items_by_project ON inbox_items (workspace_id, project_id, status, id);

-- The text of an object as it was at each revision; content is a JSON object of its fields.
CREATE TABLE revisions (
  workspace_id TEXT NOT NULL,
  object_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  content TEXT NOT NULL,
  author_id TEXT NOT NULL,
  written_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, object_id, revision)
);

-- The one log. seq counts per workspace without gaps, in the order of the commits.
CREATE TABLE events (
  workspace_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  actor_id TEXT,
  agent_model TEXT,
  door TEXT NOT NULL,
  object_id TEXT NOT NULL,
  project_id TEXT,
  spec_id TEXT,
  action_id TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (workspace_id, seq)
);
CREATE INDEX events_by_action ON events (workspace_id, action_id, seq) WHERE action_id IS NOT NULL;
CREATE INDEX events_by_project ON events (workspace_id, project_id, seq) WHERE project_id IS NOT NULL;

-- The row that writers of a workspace lock to number their events (PostgreSQL).
CREATE TABLE event_counters (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  last_seq BIGINT NOT NULL
);

-- Each seal covers the events after the former one up to upto_seq; see docs/internals/events.md.
CREATE TABLE event_seals (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  upto_seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  mac TEXT NOT NULL,
  sealed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, upto_seq)
);

CREATE TABLE idempotency_keys (
  workspace_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  stored_at BIGINT NOT NULL,
  CONSTRAINT idempotency_keys_once PRIMARY KEY (workspace_id, user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (stored_at);
