"""What of the inbox is one person's alone: unread mentions, and what has happened to what they watch.

The columns are those of store/needs.py, which adds what pages need.
"""

_MENTIONS = """
FROM mentions n CROSS JOIN comments c
JOIN projects p ON p.workspace_id = c.workspace_id AND p.id = c.project_id AND p.state <> 'archived'
"""
_UNREAD = """
WHERE n.workspace_id = :workspace AND n.user_id = :user_id AND n.settled_at IS NULL
  AND c.workspace_id = n.workspace_id AND c.id = n.comment_id
"""
MENTION_COUNT = f"SELECT count(*) {_MENTIONS} {_UNREAD}"

MENTIONS = f"""
SELECT 'mention', c.id, n.created_at, p.key, p.name, a.id, a.ref_number, coalesce(a.label, d.title, s.title), s.id,
  s.title, c.body, u.id, u.name, u.kind, NULL, NULL, NULL, NULL, NULL, NULL, c.session_id, NULL, c.document_id
{_MENTIONS} LEFT JOIN actions a ON a.workspace_id = c.workspace_id AND a.id = c.action_id
LEFT JOIN specs s ON s.workspace_id = c.workspace_id AND s.id = coalesce(c.spec_id, a.spec_id)
LEFT JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
JOIN users u ON u.id = c.author_id
{_UNREAD}"""

_WATCHED = """
FROM watch_news n
JOIN projects p ON p.workspace_id = n.workspace_id AND p.id = n.project_id AND p.state <> 'archived'
"""
_UNSEEN = "WHERE n.workspace_id = :workspace AND n.user_id = :user_id"
WATCHED_COUNT = f"SELECT count(*) {_WATCHED} {_UNSEEN}"

# `text` is the kind of the newest event, `number` how many there were.
WATCHED = f"""
SELECT 'watched', n.object_id, n.at, p.key, p.name, a.id, a.ref_number, coalesce(a.label, s.title), s.id, s.title,
  n.kind, u.id, coalesce(u.name, ''), coalesce(u.kind, 'person'), NULL, n.changes, NULL, NULL, NULL, NULL, n.session_id
{_WATCHED} LEFT JOIN actions a ON a.workspace_id = n.workspace_id AND a.id = n.action_id
LEFT JOIN specs s ON s.workspace_id = n.workspace_id AND s.id = coalesce(n.spec_id, a.spec_id)
LEFT JOIN users u ON u.id = n.actor_id
{_UNSEEN}"""
