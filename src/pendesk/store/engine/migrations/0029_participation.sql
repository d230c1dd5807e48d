-- Who takes part in the specs of a workspace: whoever is invited to one, as before this, or everyone.
ALTER TABLE workspaces ADD COLUMN participation TEXT NOT NULL DEFAULT 'invitation'
  CHECK (participation IN ('everyone', 'invitation'));

-- Where everyone takes part, the published specs are found without going through the others.
CREATE INDEX specs_published ON specs (workspace_id, id) WHERE build_id IS NOT NULL;
