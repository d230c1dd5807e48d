-- Whatever is deleted is looked for among what may refer to it: without an index, once through the table for each row.
CREATE INDEX specs_by_goal ON specs (workspace_id, goal_id) WHERE goal_id IS NOT NULL;
CREATE INDEX actions_by_spec ON actions (workspace_id, spec_id, state) WHERE spec_id IS NOT NULL;
CREATE INDEX builds_by_plan ON builds (workspace_id, plan_id);
CREATE INDEX build_actions_by_action ON build_actions (workspace_id, action_id);
CREATE INDEX commit_criteria_by_commit ON commit_criteria (workspace_id, commit_id);
CREATE INDEX test_results_by_criterion ON test_results (workspace_id, criterion_id);
CREATE INDEX submissions_by_claim ON submissions (workspace_id, claim_id);
CREATE INDEX review_verdicts_by_criterion ON review_verdicts (workspace_id, criterion_id);
CREATE INDEX review_items_by_review ON review_items (workspace_id, review_id);
CREATE INDEX documents_by_parent ON documents (workspace_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX documents_by_action ON documents (workspace_id, linked_action_id) WHERE linked_action_id IS NOT NULL;
CREATE INDEX agent_runs_by_action ON agent_runs (workspace_id, action_id) WHERE action_id IS NOT NULL;
CREATE INDEX inbox_items_by_action ON inbox_items (workspace_id, action_id) WHERE action_id IS NOT NULL;
CREATE INDEX inbox_items_by_share ON inbox_items (workspace_id, share_id);
CREATE INDEX shares_by_action ON shares (workspace_id, action_id) WHERE action_id IS NOT NULL;
CREATE INDEX attachments_by_project ON attachments (workspace_id, project_id, id);
CREATE INDEX search_texts_by_project ON search_texts (workspace_id, project_id);

-- Lost when migration 13 made the table anew.
CREATE INDEX attachments_by_storage_key ON attachments (storage_key);

-- What is forgotten by its age is found by it.
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);
CREATE INDEX oauth_clients_used ON oauth_clients (used_at) WHERE used_at IS NOT NULL;

-- What somebody has put in a place of its own.
CREATE INDEX actions_placed ON actions (workspace_id, project_id) WHERE x IS NOT NULL;

-- With the action as well: SQLite would rather go through a whole workspace in an index that holds all it asks for.
DROP INDEX commit_actions_by_commit;
CREATE INDEX commit_actions_by_commit ON commit_actions (workspace_id, commit_id, action_id);
