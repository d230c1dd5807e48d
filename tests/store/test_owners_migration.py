"""0014: what an older database knows of makers becomes owners, on both engines."""

import apsw
import psycopg
import pytest

from pendesk.ids import new_id
from pendesk.store.engine import migrate

BEFORE = 13
# name -> (kind, role, removed_at): Olga founded it, Mara left, Dan may do less by now.
PEOPLE = {
    "olga": ("person", "owner", None),
    "ada": ("person", "admin", None),
    "mara": ("person", "admin", 5),
    "dan": ("person", "viewer", None),
    "bob": ("person", "member", None),
    "bot-ada": ("agent", "member", None),
    "bot-mara": ("agent", "member", None),
    "bot-unknown": ("agent", "member", None),
}
# token -> (speaks for, made by as the log has it)
TOKENS = {
    "own": ("bob", "bob"),
    "unlogged": ("bob", None),
    "of-ada": ("bot-ada", "ada"),
    "of-mara": ("bot-ada", "mara"),
    "left": ("bot-mara", "mara"),
    "by-owner": ("bob", "olga"),
    "by-leaver": ("bob", "mara"),
    "unlogged-bot": ("bot-unknown", None),
}


@pytest.fixture(params=["sqlite", "postgres"])
def target(request, tmp_path):
    if request.param == "sqlite":
        return tmp_path / "pendesk.db", None
    cluster = request.getfixturevalue("postgres")
    return None, cluster.create_database(f"owners_{new_id().replace('-', '')}")


def rows(target, sql):
    path, url = target
    if url is None:
        return list(apsw.Connection(str(path)).execute(sql))
    with psycopg.connect(url) as connection:
        return connection.execute(sql).fetchall()


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    for number, (name, (kind, role, removed)) in enumerate(PEOPLE.items()):
        yield f"INSERT INTO users VALUES ('{name}', '{kind}', NULL, '{name}', NULL, 0)"
        gone = "NULL" if removed is None else removed
        yield (
            "INSERT INTO members (workspace_id, user_id, role, added_at, removed_at) "
            f"VALUES ('w', '{name}', '{role}', {number}, {gone})"
        )
    makers = {name: maker for name, (_, maker) in TOKENS.items() if maker}
    makers |= {"bot-ada": "ada", "bot-mara": "mara"}
    for seq, (name, maker) in enumerate(makers.items(), 1):
        kind = "member.added" if name.startswith("bot") else "token.created"
        yield (
            "INSERT INTO events (workspace_id, seq, at, kind, actor_id, door, object_id, data) "
            f"VALUES ('w', {seq}, 0, '{kind}', '{maker}', 'web', '{name}', '{{}}')"
        )
    for name, (speaks_for, _) in TOKENS.items():
        yield (
            "INSERT INTO tokens (workspace_id, id, user_id, name, hash, scopes, created_at) "
            f"VALUES ('w', '{name}', '{speaks_for}', '{name}', '{name}', '', 0)"
        )
    for maker in ("ada", "mara", "dan"):
        yield (
            "INSERT INTO outgoing_webhooks VALUES ('w', "
            f"'{maker}', 'u', 'json', '[]', NULL, 1, 'active', 0, 0, NULL, 0, '', 0, 0, '{maker}', 0)"
        )
    for number, maker in enumerate(("bob", "mara", "dan", "bot-ada", "bot-mara")):
        yield (
            f"INSERT INTO projects VALUES ('w', '{maker}', 'P{number}', 'P', '', 'active', NULL, 0, 1, 'olga', 0, 0)"
        )
        yield f"INSERT INTO github_webhooks VALUES ('w', '{maker}', 1, '{maker}', 0, NULL, 0)"
        yield (
            "INSERT INTO shares (workspace_id, id, project_id, hash, created_by, created_at) "
            f"VALUES ('w', '{maker}', '{maker}', '{maker}', '{maker}', 0)"
        )
        yield f"INSERT INTO pictures VALUES ('w', '{maker}', '{maker}', 'p{maker}', 'P', '', '', 0, '{maker}', 0)"
    # Shared by Mara once, published anew by Bob since.
    yield "INSERT INTO publications VALUES ('w', 'mara', 'mara', 'u', '', '', 'bob', 0, NULL)"


@pytest.fixture
def migrated(target, monkeypatch):
    """A database of the version before, with people and what they made, brought to this program's version."""
    known = migrate.all_migrations
    monkeypatch.setattr(
        migrate, "all_migrations", lambda engine: [step for step in known(engine) if step.version <= BEFORE]
    )
    migrate.migrate(*target)
    with migrate.open_database_with_begin_statement(*target) as (database, _):
        for statement in old_rows():
            database.run_script(statement)
    monkeypatch.setattr(migrate, "all_migrations", known)
    migrate.migrate(*target)
    return target


def owners(target, table, key="id", maker="created_by"):
    table_rows = rows(target, f"SELECT {key}, {maker}, owner_id FROM {table} WHERE owner_id IS NOT NULL")
    return {ident: (made_by, owner) for ident, made_by, owner in table_rows}


def test_agents_belong_to_who_added_them_or_else_to_the_first_owner(migrated):
    assert owners(migrated, "members", "user_id") == {
        "bot-ada": ("ada", "ada"),
        "bot-mara": ("mara", "olga"),
        "bot-unknown": ("olga", "olga"),
    }


def test_tokens_belong_to_who_made_them_or_else_to_whom_they_speak_for(migrated):
    assert owners(migrated, "tokens") == {
        "own": ("bob", "bob"),
        "unlogged": ("bob", "bob"),
        "of-ada": ("ada", "ada"),
        "of-mara": ("mara", "ada"),
        "left": ("mara", "olga"),
        "by-owner": ("olga", "olga"),
        "by-leaver": ("mara", "bob"),
        "unlogged-bot": ("olga", "olga"),
    }


def test_webhooks_belong_to_who_made_them_or_else_to_the_first_owner(migrated):
    expected = {"ada": ("ada", "ada"), "mara": ("mara", "olga"), "dan": ("dan", "olga")}
    assert owners(migrated, "outgoing_webhooks") == expected
    hooks = owners(migrated, "github_webhooks", "project_id", "set_by")
    assert {owner for _maker, owner in hooks.values()} == {"olga"}


def test_shares_and_pictures_belong_to_a_person_who_may_own_them(migrated):
    expected = {
        "bob": ("bob", "bob"),
        "mara": ("mara", "olga"),
        "dan": ("dan", "olga"),
        "bot-ada": ("bot-ada", "ada"),
        "bot-mara": ("bot-mara", "olga"),
    }
    assert owners(migrated, "pictures", maker="received_by") == expected
    assert owners(migrated, "shares") == {**expected, "mara": ("mara", "bob")}


def test_nothing_of_the_walk_is_left(migrated):
    tables = "sqlite_master" if migrated[1] is None else "pg_tables"
    column = "name" if migrated[1] is None else "tablename"
    assert rows(migrated, f"SELECT {column} FROM {tables} WHERE {column} LIKE '%0014%'") == []
