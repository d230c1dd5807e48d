"""A large desk on SQLite, filled by SQL alone: seconds for 50,000 actions and 200,000 edges.

`OURS` is the project that is looked at. Beside it lie other projects of the workspace, and elsewhere another workspace:
what is looked for in ours must cost the same however much those hold. Every action of ours comes before the next four,
so that its graph is one long chain with short cuts; its first action and its first spec have a long history.
"""

from typing import NamedTuple

import apsw

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.limits import DAY_US, PLAN_ACTIONS
from tests.desk import START

EDGES_EACH = 4
OTHER_PROJECTS = 10
USERS = 200


class Size(NamedTuple):
    """Actions of our project, of the others beside it, and of another workspace; rows of a long history."""

    ours: int
    beside: int
    elsewhere: int
    history: int = 200


LARGE = Size(40_000, 10_000, 10_000)


class Rows(NamedTuple):
    """So many rows for each row of `source`, with the values of the columns that need another one than by default."""

    source: str
    times: int = 1
    where: str = "true"
    first: int = 0
    values: dict[str, str] = {}


TABLES = [
    "workspaces",
    "users",
    "members",
    "tokens",
    "sign_in_links",
    "sessions",
    "projects",
    "goals",
    "specs",
    "participants",
    "plans",
    "actions",
    "criteria",
    "edges",
    "builds",
    "build_actions",
    "claims",
    "clarifications",
    "commits",
    "commit_actions",
    "commit_criteria",
    "test_results",
    "checks",
    "evidence",
    "submissions",
    "unmet_criteria",
    "reviews",
    "review_verdicts",
    "review_items",
    "documents",
    "notes",
    "comments",
    "mentions",
    "watches",
    "watch_news",
    "agent_runs",
    "attachments",
    "shares",
    "inbox_items",
    "revisions",
    "events",
    "event_counters",
    "event_seals",
    "idempotency_keys",
    "search_texts",
    "github_webhooks",
    "github_deliveries",
    "pull_requests",
    "oauth_clients",
    "oauth_consents",
    "oauth_grants",
    "oauth_codes",
    "oauth_refresh_tokens",
    "oauth_devices",
    "invites",
    "identities",
    "publications",
    "pictures",
    "picture_items",
    "imported_people",
    "imported_events",
    "outgoing_webhooks",
    "webhook_deliveries",
    "action_tallies",
]


def _sql_id(table: str, number: str) -> str:
    return f"printf('%08d-0000-7{TABLES.index(table):03x}-8000-000000000000', {number})"


def ident(table: str, number: int) -> str:
    return f"{number:08d}-0000-7{TABLES.index(table):03x}-8000-000000000000"


OURS = ident("projects", 0)
HERE = ident("workspaces", 0)
OWNER = Actor(HERE, ident("users", 0), "User 0", Role.OWNER, ALL_SCOPES, "web")

_SENTENCE = "The server answers only after the commit, and says what to do next in one plain sentence. "
_TEXT = f"'{_SENTENCE * 3}'"
_HASH = "printf('%064x', n)"
_STATE = """CASE i % 50 WHEN 0 THEN 'in_review' WHEN 1 THEN 'in_progress'
  ELSE CASE i % 10 WHEN 2 THEN 'backlog' WHEN 3 THEN 'scope' WHEN 4 THEN 'todo' WHEN 5 THEN 'todo' ELSE 'done' END
END"""
_SPEC_SNAPSHOT = f"""json_object('spec', json_object('id', {_sql_id("specs", "s")}, 'title', 'Spec', 'summary', {_TEXT},
  'results', json_array({_TEXT}), 'conditions', json_array(), 'boundaries', json_array(), 'attachments', json_array(),
  'revision', 1), 'plan', json_object('id', {_sql_id("plans", "s")}, 'title', 'Plan', 'approach', {_TEXT},
  'revision', 1))"""
_ACTION_SNAPSHOT = f"""json_object('label', 'Action', 'description', {_TEXT}, 'area', 'backend', 'paths',
  json_array('src/**'), 'criteria', json_array(json_object('id', {_sql_id("criteria", "a * 3")}, 'text', {_TEXT},
  'revision', 1)))"""

# By the name of a column, wherever it is not said otherwise.
_BY_NAME = {
    "workspace_id": _sql_id("workspaces", "w"),
    "project_id": _sql_id("projects", "p"),
    "spec_id": _sql_id("specs", "s"),
    "plan_id": _sql_id("plans", "s"),
    "goal_id": _sql_id("goals", "p"),
    "action_id": _sql_id("actions", "a"),
    "criterion_id": _sql_id("criteria", "a * 3"),
    "share_id": _sql_id("shares", "p"),
    "hash": _HASH,
    "title": "'Title ' || n",
    "text": _TEXT,
    "body": _TEXT,
    "summary": _TEXT,
    "description": _TEXT,
    "scopes": '\'["specs.read", "builds.write"]\'',
    "data": "'{}'",
    "revision": "1",
    "number": "k + 1",
    "position": "k",
    "role": "'member'",
    "door": "'mcp'",
    "expires_at": f"{START} + {DAY_US}",
}
_USERS = {
    "user_id",
    "created_by",
    "added_by",
    "published_by",
    "asked_by",
    "reported_by",
    "submitted_by",
    "reviewed_by",
    "author_id",
    "set_by",
    "received_by",
    "actor_id",
}
_OF_DONE = "i % 10 > 5"
_KIND = """CASE k WHEN 0 THEN 'action.created' WHEN 1 THEN 'action.claimed' WHEN 2 THEN 'progress.reported'
  ELSE 'action.moved' END"""


def _rows(history: int) -> list[tuple[str, Rows]]:
    long = Rows("actions", history, "a = 0", 20_000_000)
    reviewed = {"verdict": "'approved'", "submission_id": _sql_id("submissions", "n")}
    claimed = {"claim_id": _sql_id("claims", "n")}
    return [
        ("workspaces", Rows("workspaces")),
        ("event_counters", Rows("workspaces")),
        (
            "users",
            Rows(
                "users",
                values={
                    "kind": "CASE n % 2 WHEN 0 THEN 'person' ELSE 'agent' END",
                    "email": "'user' || n || '@example.com'",
                    "name": "'User ' || n",
                },
            ),
        ),
        ("members", Rows("users")),
        (
            "tokens",
            Rows("users", 5, values={"grant_id": f"CASE k WHEN 0 THEN NULL ELSE {_sql_id('oauth_grants', 'u')} END"}),
        ),
        ("sign_in_links", Rows("users", 5)),
        ("sessions", Rows("users", 5, values={"id": _sql_id("sessions", "n")})),
        ("invites", Rows("users", 2)),
        ("identities", Rows("users", values={"issuer": "'https://id.example.com'", "subject": "'subject' || n"})),
        (
            "oauth_clients",
            Rows(
                "users",
                5,
                values={"id": "'client' || n", "kind": "'registered'", "used_at": f"CASE k WHEN 0 THEN {START} END"},
            ),
        ),
        ("oauth_consents", Rows("users", 5)),
        ("oauth_grants", Rows("users", values={"client_id": "'client' || n"})),
        ("oauth_codes", Rows("users", 5)),
        ("oauth_refresh_tokens", Rows("users", 5, values={"grant_id": _sql_id("oauth_grants", "u")})),
        ("oauth_devices", Rows("users", 5, values={"user_code_mac": "'mac' || n", "state": "'pending'"})),
        ("idempotency_keys", Rows("users", 50, values={"key": "'key' || n", "answer": "'{}'"})),
        ("imported_people", Rows("users", where="u % 10 = 9")),
        (
            "projects",
            Rows(
                "projects",
                values={
                    "key": "'P' || p",
                    "state": "'active'",
                    "last_ref": "1000000",
                    "repository_url": "'https://github.com/example/p' || p",
                },
            ),
        ),
        ("goals", Rows("projects")),
        ("action_tallies", Rows("projects", 300, values={"kind": "'done'", "day": "k", "id": "''", "count": "1"})),
        ("github_webhooks", Rows("projects", values={"generation": "1", "last_number": "100"})),
        ("github_deliveries", Rows("projects", 100, values={"digest": _HASH, "delivery_id": _HASH})),
        (
            "outgoing_webhooks",
            Rows(
                "workspaces",
                20,
                values={
                    "format": "'json'",
                    "kinds": "'[]'",
                    "state": "'active'",
                    "cursor": "1000000000",
                    "last_number": "500",
                },
            ),
        ),
        (
            "webhook_deliveries",
            Rows(
                "workspaces",
                500,
                values={
                    "webhook_id": _sql_id("outgoing_webhooks", "w * 20"),
                    "delivery_id": _HASH,
                    "state": "'delivered'",
                },
            ),
        ),
        ("pictures", Rows("workspaces", 20, values={"source_id": _sql_id("pictures", "n"), "content": "'{}'"})),
        ("picture_items", Rows("workspaces", 50, values={"picture_id": _sql_id("pictures", "w * 20")})),
        ("event_seals", Rows("workspaces", 50, values={"upto_seq": "n"})),
        ("shares", Rows("projects")),
        ("publications", Rows("projects")),
        (
            "specs",
            Rows(
                "specs",
                values={
                    "active_plan_id": _sql_id("plans", "s"),
                    "build_id": _sql_id("builds", "s * 2 + 1"),
                    "build_number": "2",
                    "results": "'[\"It works\"]'",
                    "conditions": "'[]'",
                    "boundaries": "'[]'",
                },
            ),
        ),
        ("participants", Rows("specs", 3, values={"user_id": _sql_id("users", f"w * {USERS} + k")})),
        ("plans", Rows("specs")),
        ("builds", Rows("specs", 2, values={"snapshot": _SPEC_SNAPSHOT})),
        ("attachments", Rows("specs", 5, values={"storage_key": _HASH, "media_type": "'image/png'"})),
        (
            "documents",
            Rows(
                "specs",
                5,
                values={
                    "parent_id": f"CASE k WHEN 0 THEN NULL ELSE {_sql_id('documents', 's * 5')} END",
                    "linked_action_id": f"CASE k WHEN 1 THEN {_sql_id('actions', f's * {PLAN_ACTIONS}')} END",
                },
            ),
        ),
        (
            "comments",
            Rows(
                "specs",
                40,
                values={
                    "document_id": f"CASE WHEN k < 30 THEN {_sql_id('documents', 's * 5')} END",
                    "action_id": f"CASE WHEN k BETWEEN 30 AND 34 THEN {_sql_id('actions', f's * {PLAN_ACTIONS}')} END",
                    "spec_id": f"CASE WHEN k >= 35 THEN {_sql_id('specs', 's')} END",
                    "passage": "'only after the commit'",
                    "passage_start": "17",
                },
            ),
        ),
        ("notes", Rows("specs", 5)),
        (
            "actions",
            Rows(
                "actions",
                values={
                    "ref_number": "i + 1",
                    "label": "'Action ' || a || ': make it quick'",
                    "area": "'area ' || (i % 20)",
                    "paths": "'[\"src/**\"]'",
                    "state": _STATE,
                    "position": f"i % {PLAN_ACTIONS}",
                    "priority": "i % 5",
                    "fence": "1",
                    "revision": f"CASE a WHEN 0 THEN {history + 1} ELSE 1 END",
                    "claim_id": _sql_id("claims", "a"),
                    "drop_accepted_at": "NULL",
                    # In our project one of its people, and in the others everybody else.
                    "assignee_user_id": f"CASE i % 4 WHEN 0 THEN {_sql_id('users', 'min(p, 1)')} END",
                    "due_on": "CASE i % 3 WHEN 0 THEN '2027-01-14' END",
                    "labels": 'CASE i % 5 WHEN 0 THEN \'["bug"]\' WHEN 1 THEN \'["bug","ui"]\' END',
                },
            ),
        ),
        ("criteria", Rows("actions", 3, values={"status": "CASE WHEN i % 10 > 5 THEN 'confirmed' ELSE 'pending' END"})),
        (
            "edges",
            Rows(
                "actions",
                EDGES_EACH,
                f"i + {EDGES_EACH} < actions_of_project",
                values={
                    "from_action_id": _sql_id("actions", "a"),
                    "to_action_id": _sql_id("actions", "a + k + 1"),
                    "label": "'blocks'",
                    "before_id": _sql_id("actions", "a"),
                    "after_id": _sql_id("actions", "a + k + 1"),
                },
            ),
        ),
        (
            "build_actions",
            Rows(
                "actions",
                2,
                values={
                    "build_id": _sql_id("builds", "s * 2 + k"),
                    "snapshot": _ACTION_SNAPSHOT,
                    "position": f"i % {PLAN_ACTIONS}",
                },
            ),
        ),
        (
            "claims",
            Rows(
                "actions",
                values={
                    "fence": "1",
                    "build_id": _sql_id("builds", "s * 2 + 1"),
                    "agent_model": "'model-1'",
                    "state": "CASE i % 50 WHEN 0 THEN 'submitted' WHEN 1 THEN 'active' ELSE 'released' END",
                    "expires_at": f"{START} + (i % 3 - 1) * {DAY_US}",
                },
            ),
        ),
        ("claims", long._replace(first=20_000_000, values={"fence": "k + 2", "state": "'released'"})),
        (
            "clarifications",
            Rows(
                "actions",
                where="i % 10 = 1",
                values={"question": _TEXT, "answered_at": f"CASE i % 50 WHEN 1 THEN NULL ELSE {START} END"},
            ),
        ),
        ("clarifications", long._replace(values={"question": _TEXT, "answered_at": f"{START}"})),
        (
            "commits",
            Rows(
                "actions",
                where=_OF_DONE,
                values={"sha": "printf('%040x', n)", "source": "'agent'", "branch": "'branch-' || (i % 100)"},
            ),
        ),
        ("commits", long._replace(values={"sha": "printf('%040x', n)", "source": "'agent'", "branch": "'branch-1'"})),
        ("commit_actions", Rows("actions", where=_OF_DONE, values={"commit_id": _sql_id("commits", "n")})),
        ("commit_actions", long._replace(values={"commit_id": _sql_id("commits", "n")})),
        ("commit_criteria", Rows("actions", where=_OF_DONE, values={"commit_id": _sql_id("commits", "n")})),
        ("test_results", Rows("actions", 2, values={"outcome": "'passed'"})),
        ("test_results", long._replace(values={"outcome": "'passed'"})),
        (
            "evidence",
            Rows("actions", 2, values={"level": "'claimed'", "sha": "printf('%040x', a)", "criterion_revision": "1"}),
        ),
        (
            "evidence",
            long._replace(values={"level": "'claimed'", "sha": "printf('%040x', n)", "criterion_revision": "1"}),
        ),
        (
            "checks",
            Rows(
                "actions", where=_OF_DONE, values={"sha": "printf('%040x', n)", "name": "'tests'", "state": "'passed'"}
            ),
        ),
        ("submissions", Rows("actions", where=f"{_OF_DONE} OR i % 50 = 0", values=claimed)),
        ("submissions", Rows("actions", 20, "a = 0", 20_000_000, values={**claimed, "number": "k + 2"})),
        (
            "unmet_criteria",
            Rows("actions", where=_OF_DONE, values={"submission_id": _sql_id("submissions", "n")}),
        ),
        ("reviews", Rows("actions", where=_OF_DONE, values=reviewed)),
        ("reviews", Rows("actions", 20, "a = 0", 20_000_000, values={**reviewed, "verdict": "'changes_requested'"})),
        (
            "review_verdicts",
            Rows("actions", where=_OF_DONE, values={"review_id": _sql_id("reviews", "n"), "verdict": "'confirmed'"}),
        ),
        ("review_items", Rows("actions", 20, "a = 0", 20_000_000, values={"review_id": _sql_id("reviews", "n")})),
        (
            "mentions",
            Rows(
                "specs",
                2,
                values={
                    "comment_id": _sql_id("comments", "s * 40 + k"),
                    "user_id": _sql_id("users", "k"),
                    "event_id": "n + 1",
                    "settled_at": f"CASE WHEN s % 10 > 0 THEN {START} END",
                },
            ),
        ),
        (
            "watches",
            Rows(
                "specs", values={"user_id": _sql_id("users", "0"), "object_id": _sql_id("specs", "s"), "watching": "1"}
            ),
        ),
        (
            "watch_news",
            Rows(
                "specs",
                values={
                    "user_id": _sql_id("users", "0"),
                    "object_id": _sql_id("specs", "s"),
                    "spec_id": _sql_id("specs", "s"),
                    "kind": "'build.published'",
                },
            ),
        ),
        ("agent_runs", Rows("actions", where="i % 5 = 0", values={"status": "'completed'"})),
        (
            "inbox_items",
            Rows(
                "actions",
                where="i % 20 = 0",
                values={
                    "status": "CASE i % 100 WHEN 0 THEN 'pending' ELSE 'accepted' END",
                    "source_id": "'source' || n",
                },
            ),
        ),
        (
            "pull_requests",
            Rows(
                "actions",
                where=_OF_DONE,
                values={"number": "a", "state": "'open'", "url": "'https://github.com/example/pull/' || n"},
            ),
        ),
        (
            "revisions",
            Rows("actions", values={"object_id": _sql_id("actions", "a"), "content": '\'{"label": "Before"}\''}),
        ),
        (
            "revisions",
            Rows(
                "actions",
                history,
                "a = 0",
                20_000_000,
                values={
                    "object_id": _sql_id("actions", "a"),
                    "revision": "k + 2",
                    "content": '\'{"label": "Before"}\'',
                },
            ),
        ),
        ("revisions", Rows("specs", values={"object_id": _sql_id("specs", "s"), "content": '\'{"title": "Before"}\''})),
        (
            "events",
            Rows(
                "actions",
                4,
                values={
                    "seq": "n + 1",
                    "kind": _KIND,
                    "object_id": _sql_id("actions", "a"),
                },
            ),
        ),
        (
            "events",
            long._replace(values={"seq": "n + 1", "kind": "'progress.reported'", "object_id": _sql_id("actions", "a")}),
        ),
        (
            "imported_events",
            Rows(
                "actions",
                where="i % 5 = 0",
                values={"number": "a + 1", "kind": "'action.created'", "object_id": _sql_id("actions", "a")},
            ),
        ),
        (
            "search_texts",
            Rows(
                "actions",
                values={
                    "id": "n + 1",
                    "object_id": _sql_id("actions", "a"),
                    "kind": "'action'",
                    "title_words": "'action make it quick ' || a",
                    "body_words": _TEXT,
                },
            ),
        ),
    ]


def seed(connection: apsw.Connection, size: Size) -> None:
    """Into a migrated database."""
    connection.pragma("foreign_keys", False)
    with connection:
        _number(connection, size)
        for table, rows in _rows(size.history):
            connection.execute(_insert(connection, table, rows))
        connection.execute("UPDATE event_counters SET last_seq = 1000000000")
        for source in ("numbers", "workspaces", "actions", "specs", "projects", "users"):
            connection.execute(f"DROP TABLE temp.seed_{source}")
    connection.pragma("foreign_keys", True)


def _number(connection: apsw.Connection, size: Size) -> None:
    """What there is, by number: w(orkspace), p(roject), s(pec), a(ction), i(ts place in its project), u(ser)."""
    blocks = [(0, size.ours)]
    blocks += [(0, size.beside // OTHER_PROJECTS)] * OTHER_PROJECTS
    blocks += [(1, size.elsewhere // OTHER_PROJECTS)] * OTHER_PROJECTS
    most = max(*size, USERS, 1_000)
    connection.execute(f"""
CREATE TEMP TABLE seed_numbers (value INTEGER PRIMARY KEY);
INSERT INTO seed_numbers
WITH RECURSIVE count (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM count LIMIT {most}) SELECT value FROM count;
""")
    connection.execute("CREATE TEMP TABLE seed_projects (w, p, actions_of_project, first)")
    first = 0
    for project, (workspace, actions) in enumerate(blocks):
        connection.execute("INSERT INTO seed_projects VALUES (?, ?, ?, ?)", (workspace, project, actions, first))
        first += -(-actions // PLAN_ACTIONS) * PLAN_ACTIONS  # no spec lies in two projects
    connection.execute(f"""
CREATE TEMP TABLE seed_actions AS
SELECT w, p, (first + value) / {PLAN_ACTIONS} AS s, first + value AS a, value AS i, first + value AS base,
  w * {USERS} + value % {USERS} AS u, actions_of_project
FROM seed_projects JOIN seed_numbers ON value < actions_of_project;
CREATE TEMP TABLE seed_specs AS SELECT DISTINCT w, p, s, s AS base, w * {USERS} + s % {USERS} AS u FROM seed_actions;
CREATE TEMP TABLE seed_workspaces AS
SELECT value AS w, value AS base, value * {USERS} AS u FROM seed_numbers WHERE value < 2;
CREATE TEMP TABLE seed_users AS
SELECT w, w * {USERS} + value AS u, w * {USERS} + value AS base
FROM seed_workspaces JOIN seed_numbers ON value < {USERS};
ALTER TABLE seed_projects ADD COLUMN base;
ALTER TABLE seed_projects ADD COLUMN u;
UPDATE seed_projects SET base = p, u = w * {USERS};
""")


def _insert(connection: apsw.Connection, table: str, rows: Rows) -> str:
    values = {}
    scope = {row[1] for row in connection.execute(f"PRAGMA temp.table_info(seed_{rows.source})")}
    for _, name, kind, required, default, key in connection.execute(f"PRAGMA table_info({table})"):
        value = rows.values.get(name) or _default(
            table, name, kind, scope, needed=bool(required or key) and default is None
        )
        if value is not None:
            values[name] = value
    numbered = f"""
SELECT {rows.first} + base * {rows.times} + k AS n, * FROM temp.seed_{rows.source},
  (SELECT value AS k FROM temp.seed_numbers WHERE value < {rows.times}) WHERE {rows.where}
"""
    return f"INSERT INTO {table} ({', '.join(values)}) SELECT {', '.join(values.values())} FROM ({numbered})"


def _default(table: str, name: str, kind: str, scope: set[str], *, needed: bool) -> str | None:
    if name == "id":
        return _sql_id(table, "n")
    if name in _USERS:
        return _sql_id("users", "u")
    known = _BY_NAME.get(name)
    reach = {"project_id": "p", "spec_id": "s", "plan_id": "s", "goal_id": "p", "action_id": "a", "criterion_id": "a"}
    if known is not None and reach.get(name, "w") in scope:
        return known
    if not needed:
        return None
    if name == "at" or name.endswith("_at"):
        return f"{START} - n % 1000 * 1000000"
    return "'text'" if kind == "TEXT" else "0"
