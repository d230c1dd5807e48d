-- Specs, documents and notes are numbered in their project, as actions are: HRB-S3, HRB-D2, HRB-N1. The counters outlast
-- what they counted, so that the ref of what was deleted is not given again.
CREATE TABLE text_ref_counters (
  workspace_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'document', 'note')),
  last BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, project_id, kind),
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id)
);

ALTER TABLE specs ADD COLUMN ref_number BIGINT;
UPDATE specs SET ref_number = numbered.place FROM (
  SELECT workspace_id, id, row_number() OVER (PARTITION BY workspace_id, project_id ORDER BY created_at, id) AS place
  FROM specs
) AS numbered WHERE numbered.workspace_id = specs.workspace_id AND numbered.id = specs.id;
CREATE UNIQUE INDEX specs_ref ON specs (workspace_id, project_id, ref_number);

ALTER TABLE documents ADD COLUMN ref_number BIGINT;
UPDATE documents SET ref_number = numbered.place FROM (
  SELECT workspace_id, id, row_number() OVER (PARTITION BY workspace_id, project_id ORDER BY created_at, id) AS place
  FROM documents
) AS numbered WHERE numbered.workspace_id = documents.workspace_id AND numbered.id = documents.id;
CREATE UNIQUE INDEX documents_ref ON documents (workspace_id, project_id, ref_number);

ALTER TABLE notes ADD COLUMN ref_number BIGINT;
UPDATE notes SET ref_number = numbered.place FROM (
  SELECT workspace_id, id, row_number() OVER (PARTITION BY workspace_id, project_id ORDER BY created_at, id) AS place
  FROM notes
) AS numbered WHERE numbered.workspace_id = notes.workspace_id AND numbered.id = notes.id;
CREATE UNIQUE INDEX notes_ref ON notes (workspace_id, project_id, ref_number);
