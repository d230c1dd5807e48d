-- The newest texts of each kind, of a project or of the workspace: what search looks through before its index.
DROP INDEX search_texts_by_project;
