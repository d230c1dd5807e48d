INSERT INTO events (workspace_id, seq, at, kind, door, object_id, project_id, data)
SELECT s.workspace_id, s.place + c.last_seq, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT),
  'state.recorded', 'cli', s.project_id, s.project_id, s.data
FROM states_0018 s JOIN event_counters c ON c.workspace_id = s.workspace_id;
UPDATE event_counters SET last_seq = last_seq + s.added
FROM (SELECT workspace_id, count(*) AS added FROM states_0018 GROUP BY workspace_id) s
WHERE s.workspace_id = event_counters.workspace_id;
DROP TABLE states_0018;
