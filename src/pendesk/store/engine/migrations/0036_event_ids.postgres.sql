-- Drawn one by one (CACHE 1, the default): who has seen an event draws a larger id than it has.
CREATE SEQUENCE event_ids;
SELECT setval('event_ids', (SELECT coalesce(max(seq), 0) + 1 FROM events));
ALTER TABLE events ADD COLUMN id BIGINT;
UPDATE events SET id = seq;
ALTER TABLE events ALTER COLUMN id SET NOT NULL;
ALTER TABLE events ALTER COLUMN id SET DEFAULT nextval('event_ids');
CREATE UNIQUE INDEX events_by_id ON events (workspace_id, id);

-- What is recorded and has no number yet: number_events moves it into events, some milliseconds after its commit.
CREATE TABLE event_outbox (
  workspace_id TEXT NOT NULL,
  id BIGINT NOT NULL DEFAULT nextval('event_ids'),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
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
  about_user_id TEXT,
  agent_session_id TEXT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX event_outbox_by_xid ON event_outbox (xid);
CREATE INDEX event_outbox_late ON event_outbox (workspace_id, action_id) WHERE kind = 'report.late';
-- Every row is deleted soon: what is left of them is cleared away as often.
ALTER TABLE event_outbox SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

CREATE VIEW recorded_events AS
SELECT id, workspace_id, seq, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id, data,
  about_user_id, agent_session_id
FROM events
UNION ALL
SELECT id, workspace_id, NULL::bigint, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id,
  data, about_user_id, agent_session_id
FROM event_outbox;

-- Numbers what is committed, in the order of the ids, and tells whose logs have grown. docs/internals/events.md says why
-- that order is right. The caller keeps done_below and server for its next call: every transaction below done_below has
-- ended and its events are moved, so the search begins there and passes by the remains that a long transaction elsewhere
-- keeps from being cleared. Transaction ids of another server (a promoted replica, a restored copy) say nothing.
CREATE FUNCTION number_events(INOUT done_below xid8, INOUT server timestamptz, OUT numbered_workspaces text[])
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
  look_from xid8 := '0';
BEGIN
  -- A statement of its own: the snapshot of the next one is younger than the lock.
  PERFORM pg_advisory_xact_lock(7301);
  IF server = pg_postmaster_start_time() THEN
    look_from := done_below;
  END IF;
  server := pg_postmaster_start_time();
  WITH moved AS (
    DELETE FROM event_outbox WHERE xid >= look_from RETURNING *),
  placed AS (
    SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place FROM moved),
  counted AS (
    INSERT INTO event_counters AS c (workspace_id, last_seq)
    SELECT workspace_id, count(*) FROM moved GROUP BY workspace_id ORDER BY workspace_id
    ON CONFLICT (workspace_id) DO UPDATE SET last_seq = c.last_seq + excluded.last_seq
    RETURNING workspace_id, last_seq, (SELECT count(*) FROM moved m WHERE m.workspace_id = c.workspace_id) AS added),
  written AS (
    INSERT INTO events (workspace_id, id, seq, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id,
      action_id, data, about_user_id, agent_session_id)
    SELECT workspace_id, id, last_seq - added + place, at, kind, actor_id, agent_model, door, object_id, project_id,
      spec_id, action_id, data, about_user_id, agent_session_id
    FROM placed JOIN counted USING (workspace_id) ORDER BY workspace_id, place
    RETURNING workspace_id)
  SELECT array_agg(DISTINCT workspace_id), pg_snapshot_xmin(pg_current_snapshot())
  INTO numbered_workspaces, done_below FROM written;
END $$;
