-- What takes no spec stands beside the specs in the list of available work: found without going through the others.
CREATE INDEX actions_without_spec ON actions (workspace_id, project_id, ref_number)
WHERE spec_id IS NULL AND state IN ('todo', 'in_progress', 'changes_requested');
