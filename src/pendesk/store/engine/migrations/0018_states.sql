-- Folding the log gives the state (domain/fold.py). What logs before this lack is written down once: for each project
-- the states of its actions, 20 in an event, as limits.STATES_PER_EVENT has it. Ids and words only, so that no text
-- needs quoting. The events themselves follow in the file of each engine, whose clocks differ.
CREATE TABLE states_0018 AS
WITH numbered AS (
  SELECT workspace_id, project_id, id, spec_id, plan_id, state, state_reason, fence, claim_id,
    (row_number() OVER (PARTITION BY workspace_id, project_id ORDER BY id) - 1) / 20 AS part
  FROM actions
), described AS (
  SELECT a.workspace_id, a.project_id, a.part, a.id, '{"id":"' || a.id
    || '","specId":' || coalesce('"' || a.spec_id || '"', 'null')
    || ',"planId":' || coalesce('"' || a.plan_id || '"', 'null')
    || ',"state":"' || a.state
    || '","changesRequested":'
    || CASE WHEN a.state = 'in_review' AND a.state_reason = 'changes_requested' THEN 'true' ELSE 'false' END
    || ',"fence":' || a.fence
    || ',"claimId":' || coalesce('"' || a.claim_id || '"', 'null')
    || ',"claims":[' || coalesce((
      SELECT string_agg('{"id":"' || c.id || '","userId":"' || c.user_id || '","fence":' || c.fence
        || ',"state":"' || c.state || '"}', ',')
      FROM claims c WHERE c.workspace_id = a.workspace_id AND c.action_id = a.id), '')
    || '],"criteria":[' || coalesce((
      SELECT string_agg('{"id":"' || k.id || '","status":"' || k.status
        || '","fresh":' || coalesce((
          SELECT '"' || e.level || '"' FROM evidence e
          WHERE e.workspace_id = k.workspace_id AND e.criterion_id = k.id AND e.stale_reason IS NULL
          ORDER BY CASE e.level WHEN 'human' THEN 3 WHEN 'ci' THEN 2 WHEN 'artifact' THEN 1 ELSE 0 END DESC
          LIMIT 1), 'null')
        || ',"best":' || coalesce((
          SELECT '"' || e.level || '"' FROM evidence e
          WHERE e.workspace_id = k.workspace_id AND e.criterion_id = k.id
          ORDER BY CASE e.level WHEN 'human' THEN 3 WHEN 'ci' THEN 2 WHEN 'artifact' THEN 1 ELSE 0 END DESC
          LIMIT 1), 'null')
        || ',"removed":' || CASE WHEN k.removed_at IS NULL THEN 'false' ELSE 'true' END || '}', ',')
      FROM criteria k WHERE k.workspace_id = a.workspace_id AND k.action_id = a.id), '')
    || '],"submissions":[' || coalesce((
      SELECT string_agg('{"id":"' || s.id || '","number":' || s.number
        || ',"verdict":' || coalesce((
          SELECT '"' || r.verdict || '"' FROM reviews r
          WHERE r.workspace_id = s.workspace_id AND r.submission_id = s.id), 'null') || '}', ',')
      FROM submissions s WHERE s.workspace_id = a.workspace_id AND s.action_id = a.id), '')
    || '],"questions":[' || coalesce((
      SELECT string_agg('{"id":"' || q.id || '","state":"'
        || CASE WHEN q.answer IS NULL THEN 'open' ELSE 'answered' END || '"}', ',')
      FROM clarifications q WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id), '')
    || ']}' AS item
  FROM numbered a
), gathered AS (
  SELECT p.workspace_id, p.id AS project_id, coalesce(d.part, 0) AS part, count(d.id) AS actions,
    coalesce(string_agg(d.item, ','), '') AS items
  FROM projects p LEFT JOIN described d ON d.workspace_id = p.workspace_id AND d.project_id = p.id
  GROUP BY p.workspace_id, p.id, coalesce(d.part, 0)
)
SELECT workspace_id, project_id, row_number() OVER (PARTITION BY workspace_id ORDER BY project_id, part) AS place,
  '{"part":' || part || ',"count":' || actions || ',"actions":[' || items || ']}' AS data
FROM gathered;
