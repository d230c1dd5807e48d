"""0017: whom an older private event is about goes into a column, on both engines, and every seal still fits."""

import json

import apsw
import psycopg
import pytest

from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_visibility import PRIVATE_KINDS, Viewer
from pendesk.domain.seal import SEALED_FIELDS, START, chain_hash
from pendesk.ids import new_id
from pendesk.store.engine import migrate

BEFORE = 15
USERS = ("ada", "bea", "cleo")
# As they were written: what the event happened to, and its data.
SHAPES = [
    ("bea", {}),
    ("a-token", {"name": "CI", "user": "bea", "scopes": ""}),
    ("a-token", {"name": 'x","user":"cleo","y":"', "user": "bea"}),
    ("an-invite", {"role": "member", "email": "new@example.com"}),
    ("a-token", {"from": "ada", "to": "bea", "name": "\\u0000 and ünïcode"}),
]
OLD_EVENTS = [
    (kind, actor, subject, data)
    for kind in [*sorted(PRIVATE_KINDS), "note.created", "member.added"]
    for actor in ("ada", "bea", None)
    for subject, data in SHAPES
]


@pytest.fixture(params=["sqlite", "postgres"])
def target(request, tmp_path):
    if request.param == "sqlite":
        return tmp_path / "pendesk.db", None
    cluster = request.getfixturevalue("postgres")
    return None, cluster.create_database(f"about_{new_id().replace('-', '')}")


def quoted(value):
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    for name in USERS:
        yield f"INSERT INTO users VALUES ('{name}', 'person', NULL, '{name}', NULL, 0)"
    for seq, (kind, actor, subject, data) in enumerate(OLD_EVENTS, 1):
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        yield (
            "INSERT INTO events (workspace_id, seq, at, kind, actor_id, door, object_id, data) "
            f"VALUES ('w', {seq}, 0, '{kind}', {quoted(actor)}, 'web', '{subject}', {quoted(text)})"
        )


def rows(target, sql):
    path, url = target
    if url is None:
        return list(apsw.Connection(str(path)).execute(sql))
    with psycopg.connect(url) as connection:
        return connection.execute(sql).fetchall()


@pytest.fixture
def heads(target, monkeypatch):
    """The head of the log in a database of the version before, and in the same once it is migrated."""
    known = migrate.all_migrations
    monkeypatch.setattr(
        migrate, "all_migrations", lambda engine: [step for step in known(engine) if step.version <= BEFORE]
    )
    migrate.migrate(*target)
    with migrate.open_database_with_begin_statement(*target) as (database, _):
        for statement in old_rows():
            database.run_script(statement)
    before = head(logged(target, SEALED_FIELDS))
    monkeypatch.setattr(migrate, "all_migrations", known)
    migrate.migrate(*target)
    return before, head(logged(target, LoggedEvent._fields))


def logged(target, columns):
    return [LoggedEvent(*row) for row in rows(target, f"SELECT {', '.join(columns)} FROM events ORDER BY seq")]


def head(events):
    chain = START
    for event in events:
        chain = chain_hash(chain, event)
    return chain


def test_the_chain_of_hashes_is_the_same(heads):
    before, after = heads
    assert before == after


def test_everyone_sees_what_they_saw(heads, target):
    for event in logged(target, LoggedEvent._fields):
        for user in USERS:
            was_seen = event.kind not in PRIVATE_KINDS or (
                user in (event.actor_id, event.object_id) or f'"user":"{user}"' in event.data
            )
            sees = Viewer(all_events=False, user_id=user).can_see_event(event.kind, event.actor_id, event.about_user_id)
            assert sees is was_seen, (user, event)


def test_only_private_events_are_about_somebody(heads, target):
    about = [event for event in logged(target, LoggedEvent._fields) if event.about_user_id is not None]
    assert {event.kind for event in about} == PRIVATE_KINDS
    assert {event.about_user_id for event in about} == {"bea"}
