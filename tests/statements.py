"""Every statement that the program can run on SQLite, by name.

Statements are module constants of store/, alone or in lists and dictionaries; a private name (`_PAGE`) is a fragment.
tests/store/test_statements.py shows that nothing else is run.
"""

import importlib
import json
import pkgutil
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import apsw

from pendesk import store
from pendesk.domain.limits import ACTION_CRITERIA, DAY_US, PAGE_ROWS, PLAN_ACTIONS, TIMELINE_WINDOW
from pendesk.store.engine import dialect, sqlite
from tests.desk import START
from tests.large_desk import HERE, OURS, TABLES, USERS, ident

# PostgreSQL's own, and what SQLite's one writer does not need.
ELSEWHERE = {
    *("postgres", "postgres_link", "postgres_lookups", "postgres_notify", "postgres_share", "postgres_tx"),
    *("rate_windows", "tool_uses", "database_copy", "migrate", "after_restore"),
}
_STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
_LOCK = re.compile(r"FOR ((NO KEY )?UPDATE|KEY SHARE)")


def known() -> dict[str, str]:
    """Name -> text, as SQLite gets it."""
    names: dict[str, str] = {}
    for module in pkgutil.walk_packages(store.__path__, f"{store.__name__}."):
        short = module.name.rpartition(".")[2]
        if short in ELSEWHERE:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if name.isupper() and not name.startswith(("_", "POSTGRES")):
                for part, text in _texts(value):
                    names.setdefault(dialect.to_sqlite_sql(text), f"{short}.{name}{part}")
    return {name: text for text, name in names.items()}


def _texts(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if _STATEMENT.match(value) and not _LOCK.search(value):
            yield "", value
    elif isinstance(value, list | tuple | dict):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from ((f"[{key}]{part}", text) for part, text in _texts(item))


@contextmanager
def recorded() -> Iterator[dict[str, set[bool]]]:
    """Every text that SQLite gets in a transaction meanwhile -> whether on the loop's thread, the main one, or not."""
    texts: dict[str, set[bool]] = defaultdict(set)

    def keep(_cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        texts[sql].add(threading.current_thread() is threading.main_thread())
        return True

    begin = sqlite.SqliteTx.__init__

    def watched(tx: sqlite.SqliteTx, connection: apsw.Connection, workspace: str, now: int) -> None:
        connection.exec_trace = keep
        begin(tx, connection, workspace, now)

    with patch.object(sqlite.SqliteTx, "__init__", watched):
        yield texts


# What each parameter is in the worst place of a large desk: the longest history, the largest project, the first page.
_ACTION, _USER, _SPEC = ident("actions", 0), ident("users", 0), ident("specs", 0)
PARAMETERS: dict[str, Any] = {
    "workspace": HERE,
    "now": START,
    "project_id": OURS,
    "action_id": _ACTION,
    "spec_id": _SPEC,
    "plan_id": ident("plans", 0),
    "goal_id": ident("goals", 0),
    "build_id": ident("builds", 0),
    "document_id": ident("documents", 0),
    "criterion_id": ident("criteria", 0),
    "claim_id": ident("claims", 0),
    "share_id": ident("shares", 0),
    "review_id": ident("reviews", 20_000_000),
    "submission_id": ident("submissions", 20_000_000),
    "webhook_id": ident("outgoing_webhooks", 0),
    "picture_id": ident("pictures", 0),
    "grant_id": ident("oauth_grants", 0),
    "object_id": _ACTION,
    "start": _ACTION,
    "source": _ACTION,
    "target": ident("actions", 4),
    "user_id": _USER,
    "owner_id": _USER,
    "but": _USER,
    "roles": '["owner", "admin"]',
    "key": "P0",
    "limit": 500,
    "closed": 50,
    "looked_at": 50,
    "oldest": 0,
    "first": 0,
    "day": 0,
    "before": 10**15,
    "after": "",
    "after_id": "",
    "after_0": "",
    "after_1": "",
    "after_2": "",
    "since": START - 30 * DAY_US,
    "answered_after": START - DAY_US,
    "state": "done",
    "status": "pending",
    "label": "blocks",
    "query": '"action" AND "quick"*',
    "parts": '[" action ", " quick"]',
    "count": 2,
    "ids": json.dumps([ident("actions", number) for number in range(PLAN_ACTIONS)]),
    "action_ids": json.dumps([ident("actions", number) for number in range(PLAN_ACTIONS)]),
    "build_ids": json.dumps([ident("builds", 0)]),
    "message_ids": json.dumps(["message"]),
    "session_ids": json.dumps(["session"]),
    "project_ids": json.dumps([OURS]),
    "spec_ids": json.dumps([_SPEC]),
    "areas": '["backend"]',
    "per_action": 300,
    "rows": "[]",
    "agent_ids": json.dumps([ident("users", number) for number in range(USERS)]),
    "marks": json.dumps(["process:" + "0" * 32]),
    "hashes": json.dumps([f"{number:064x}" for number in range(PLAN_ACTIONS)]),
    "sha": f"{6:040x}",
    "shas": json.dumps([f"{number:040x}" for number in range(PLAN_ACTIONS)]),
    "criterion_ids": json.dumps([ident("criteria", number) for number in range(ACTION_CRITERIA)]),
    "submission_ids": json.dumps(["submission"]),
    "comment_ids": json.dumps([ident("comments", number) for number in range(PAGE_ROWS)]),
    "comment_id": ident("comments", 0),
    "commit_ids": json.dumps([ident("commits", number) for number in range(PLAN_ACTIONS)]),
    "emails": json.dumps([f"user{number}@example.com" for number in range(USERS)]),
    "spellings": json.dumps(["https://github.com/example/p0", "https://github.com/example/pull/6"]),
    "earlier": '["pending"]',
    "kinds": '["nothing.like.it"]',
    "hash": f"{0:064x}",
    "branch": "branch-1",
    "number": 1,
    "fence": 10**9,
    "revision": 1,
    "floor": 0,
    "upto": 10**15,
    "moment": START,
    "kept": 10_000,
    "most": 10_000,
    "chars": 1_000,
    "revoked_at": START,
    "sees_everything": 0,
    "any_kind": 0,
    "own": "[]",
    "own_in_data": "[]",
    "expires_at": START,
    "x": 1.0,
    "y": 1.0,
}
_NUMBERED = {"after": 0, "after_0": -1}
# Where a name means something else than elsewhere: by module, or by the name of the statement.
EXCEPT: dict[str, dict[str, Any]] = {
    "events": {**_NUMBERED, "upto": TIMELINE_WINDOW},
    "timeline": _NUMBERED,
    "seals": _NUMBERED,
    "needs": _NUMBERED,
    "imported.EVENTS": _NUMBERED,
    "rows.PAGE[events]": _NUMBERED,
    "rows.PAGE[imported_events]": _NUMBERED,
    "rows.PAGE[pull_requests]": _NUMBERED,
    "rows.PAGE[revisions]": {"after_1": -1},
    "board": {"area": "", "spec": "", "holder": "", "mark": "", "words": "", "number": -1},
    "messages": {"at": 2**53, "id": "message", "ids": json.dumps(["message"]), "session_id": "session"},
    "messages.MARK_DELIVERED": {"delivered_by": "tool"},
    "runs.PAGE": {"before": "~"},
    "runs.END": {"status": "completed"},
    "people.INSERT_WORKSPACE": {"participation": "invitation"},
    "people.SET_PARTICIPATION": {"participation": "everyone"},
    "people.SET_ROLE": {"role": "admin"},
    "projects.EDIT": {"state": "active", "refuse_overlap": 1},
    "projects.SET_KEEPS_ACTIVITY": {"keeps_activity": 0},
    "devices": {"state": "approved"},
    "webhooks.SAVE": {"format": "json", "state": "active"},
    "github.PULL_REQUESTS": {"rows": json.dumps([[OURS, number] for number in range(PLAN_ACTIONS)])},
    "checks.TALLIES": {"rows": json.dumps([[OURS, f"{number:040x}"] for number in range(PLAN_ACTIONS)])},
    "claims.SET_EXPIRY": {"rows": json.dumps([[ident("claims", number), 0] for number in range(PLAN_ACTIONS)])},
    "claims.KEEP": {"rows": json.dumps([[ident("claims", number), 0, 0] for number in range(PLAN_ACTIONS)])},
    "session_steps.END": {"rows": json.dumps([["session", f"{number}", 0] for number in range(PLAN_ACTIONS)])},
    "claims.HELD_BEFORE": {"user_id": "nobody"},
    "actions.SAVE_STATE": {"drop_accepted_at": None},
    "actions.INSERT": {"drop_accepted_at": None, "assignee_agent_id": None},
    "actions.EDIT": {"assignee_agent_id": None},
    "rows.INSERT[actions]": {"assignee_agent_id": None},
    "edges.COUNT_OF_ACTION": {"id": _ACTION},
    "edges.REACHES": {"target": "nowhere"},
    "purge.ACTIONS[plan_id]": {"id": ident("plans", 0)},
    "purge.ACTIONS[spec_id]": {"id": _SPEC},
    "purge.ACTIONS[project_id]": {"id": OURS},
    "purge.ACTIONS[id]": {"id": _ACTION},
    "purge.SPECS[id]": {"id": _SPEC},
    "purge.SPECS[project_id]": {"id": OURS},
    "purge.OF_PROJECT": {"id": OURS},
    "purge.LIVE_CLAIMS_OF_PROJECT": {"id": OURS},
    "purge.BUILDS_OF_ACTION": {"id": _ACTION},
    "purge.BUILDS_OF_PLAN": {"id": ident("plans", 0)},
    "purge.SPECS_OF_GOAL": {"id": ident("goals", 0)},
    "purge.USED_OF_PLAN": {"id": ident("plans", 0)},
    "tallies.COUNT_ALL": {"id": OURS},
    "tallies.TAKE_BACK[plan_id]": {"id": ident("plans", 0)},
    "tallies.TAKE_BACK[spec_id]": {"id": _SPEC},
    "tallies.TAKE_BACK[id]": {"id": _ACTION},
    "tallies.ADD": {"kind": "done"},
    "tallies.ADD_FOLDED": {"kind": "done"},
    **{
        f"{statements}[{kind}]": {"id": ident(f"{kind}s", 0)}
        for statements in ("comments.PAGE", "comments.OPEN", "comments.COUNT", "mentions.READ_IN_THREAD")
        for kind in ("project", "document", "action", "spec")
    },
    "mentions.INSERT": {"agent_id": None},
    "purge.OF_DOCUMENT": {"id": ident("documents", 0)},
}
_NAME = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")
_TABLE = re.compile(r"\b(?:FROM|UPDATE|INTO) ([a-z_]+)")


def values(name: str, sql: str) -> dict[str, Any]:
    """What a statement is run with."""
    table = _TABLE.search(sql)
    given = dict(PARAMETERS)
    if table is not None and table[1] in TABLES:
        given["id"] = ident(table[1], 0)
    for key, more in EXCEPT.items():
        if name == key or name.startswith((f"{key}.", f"{key}[")):
            given |= more
    return {each: given.get(each, "") for each in _NAME.findall(sql)}
