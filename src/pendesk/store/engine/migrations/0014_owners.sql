-- What gives access or sends data out on its own knows who made it (that never changes) and whose it is now: who
-- answers for it, and with whose removal it ends or is handed over. See domain/ownership.py.

-- Of agents' accounts only: people answer for themselves.
ALTER TABLE members ADD COLUMN created_by TEXT;
ALTER TABLE members ADD COLUMN owner_id TEXT;
CREATE INDEX members_by_owner ON members (workspace_id, owner_id, user_id) WHERE owner_id IS NOT NULL;

ALTER TABLE tokens ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';
CREATE INDEX tokens_by_owner ON tokens (workspace_id, owner_id, id) WHERE grant_id IS NULL;

ALTER TABLE outgoing_webhooks ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';
-- Its maker is set_by.
ALTER TABLE github_webhooks ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';
-- A publication belongs to the owner of its share.
ALTER TABLE shares ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';
CREATE INDEX shares_by_owner ON shares (workspace_id, owner_id, id);
ALTER TABLE pictures ADD COLUMN owner_id TEXT NOT NULL DEFAULT '';

-- A link signs somebody in, so who made it for another must not keep it. They live for minutes: older ones stay blank.
ALTER TABLE sign_in_links ADD COLUMN created_by TEXT NOT NULL DEFAULT '';

-- When a grant ends however often it is renewed; set where tokens have a longest life. Older grants have no such end.
ALTER TABLE oauth_grants ADD COLUMN ends_at BIGINT;

-- Who made agents' accounts and tokens is in the log alone: one walk through it.
CREATE TABLE makers_0014 AS
SELECT workspace_id, object_id, min(actor_id) AS actor_id FROM events
WHERE kind IN ('token.created', 'member.added') AND actor_id IS NOT NULL GROUP BY workspace_id, object_id;
CREATE UNIQUE INDEX makers_0014_key ON makers_0014 (workspace_id, object_id);

-- Who answers for what nobody else does: for what the log does not tell, and for what those left behind who are no
-- longer members, or may no longer own it. It goes on working, and the first owner sees it in the lists.
CREATE TABLE first_owners_0014 AS
SELECT m.workspace_id, m.user_id FROM members m WHERE m.role = 'owner' AND m.removed_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.role = 'owner' AND o.removed_at IS NULL
    AND (o.added_at < m.added_at OR (o.added_at = m.added_at AND o.user_id < m.user_id)));
CREATE UNIQUE INDEX first_owners_0014_key ON first_owners_0014 (workspace_id);

UPDATE members SET created_by = coalesce(
  (SELECT k.actor_id FROM makers_0014 k WHERE k.workspace_id = members.workspace_id AND k.object_id = members.user_id),
  (SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = members.workspace_id))
WHERE removed_at IS NULL AND user_id IN (SELECT id FROM users WHERE kind = 'agent');
UPDATE members SET owner_id = created_by WHERE created_by IS NOT NULL;
UPDATE members SET owner_id = coalesce((
  SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = members.workspace_id), owner_id)
WHERE owner_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = members.workspace_id AND o.user_id = members.owner_id
    AND o.removed_at IS NULL AND o.role IN ('admin', 'owner'));

-- A token is its maker's: they saw the secret. An access token is the person's who gave the grant.
UPDATE tokens SET created_by = coalesce(
  (SELECT k.actor_id FROM makers_0014 k WHERE k.workspace_id = tokens.workspace_id AND k.object_id = tokens.id),
  (SELECT m.created_by FROM members m WHERE m.workspace_id = tokens.workspace_id AND m.user_id = tokens.user_id),
  user_id);
UPDATE tokens SET owner_id = created_by;
UPDATE tokens SET owner_id = (
  SELECT coalesce(m.owner_id, m.user_id) FROM members m
  WHERE m.workspace_id = tokens.workspace_id AND m.user_id = tokens.user_id)
WHERE owner_id <> user_id AND NOT EXISTS (
  SELECT 1 FROM members o JOIN members s ON s.workspace_id = o.workspace_id AND s.user_id = tokens.user_id
  WHERE o.workspace_id = tokens.workspace_id AND o.user_id = tokens.owner_id AND o.removed_at IS NULL
    AND (o.role = 'owner' OR (o.role = 'admin' AND s.owner_id IS NOT NULL)));

UPDATE outgoing_webhooks SET owner_id = created_by;
UPDATE outgoing_webhooks SET owner_id = coalesce((
  SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = outgoing_webhooks.workspace_id), owner_id)
WHERE NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = outgoing_webhooks.workspace_id
    AND o.user_id = outgoing_webhooks.owner_id AND o.removed_at IS NULL AND o.role IN ('admin', 'owner'));

UPDATE github_webhooks SET owner_id = set_by;
UPDATE github_webhooks SET owner_id = coalesce((
  SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = github_webhooks.workspace_id), owner_id)
WHERE NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = github_webhooks.workspace_id
    AND o.user_id = github_webhooks.owner_id AND o.removed_at IS NULL AND o.role IN ('admin', 'owner'));

-- Agents publish too; what they publish is the person's who answers for the agent.
UPDATE shares SET owner_id = coalesce(
  (SELECT p.published_by FROM publications p WHERE p.workspace_id = shares.workspace_id AND p.share_id = shares.id),
  created_by);
UPDATE shares SET owner_id = (
  SELECT coalesce(m.owner_id, m.user_id) FROM members m
  WHERE m.workspace_id = shares.workspace_id AND m.user_id = shares.owner_id)
WHERE EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = shares.workspace_id AND m.user_id = shares.owner_id);
UPDATE shares SET owner_id = coalesce((
  SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = shares.workspace_id), owner_id)
WHERE NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = shares.workspace_id AND o.user_id = shares.owner_id
    AND o.removed_at IS NULL AND o.role <> 'viewer');

UPDATE pictures SET owner_id = received_by;
UPDATE pictures SET owner_id = (
  SELECT coalesce(m.owner_id, m.user_id) FROM members m
  WHERE m.workspace_id = pictures.workspace_id AND m.user_id = pictures.owner_id)
WHERE EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = pictures.workspace_id AND m.user_id = pictures.owner_id);
UPDATE pictures SET owner_id = coalesce((
  SELECT f.user_id FROM first_owners_0014 f WHERE f.workspace_id = pictures.workspace_id), owner_id)
WHERE NOT EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = pictures.workspace_id AND o.user_id = pictures.owner_id
    AND o.removed_at IS NULL AND o.role <> 'viewer');

DROP TABLE makers_0014;
DROP TABLE first_owners_0014;
