-- One writer numbers an event as it records it: the number is the id.
CREATE VIEW recorded_events AS
SELECT seq AS id, workspace_id, seq, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id,
  data, about_user_id, agent_session_id
FROM events;
