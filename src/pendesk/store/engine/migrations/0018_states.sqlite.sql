INSERT INTO events (workspace_id, seq, at, kind, door, object_id, project_id, data)
SELECT s.workspace_id, s.place + coalesce((SELECT max(e.seq) FROM events e WHERE e.workspace_id = s.workspace_id), 0),
  CAST(unixepoch('subsec') * 1000000 AS INTEGER), 'state.recorded', 'cli', s.project_id, s.project_id, s.data
FROM states_0018 s;
DROP TABLE states_0018;
