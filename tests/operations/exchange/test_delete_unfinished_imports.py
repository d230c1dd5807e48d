"""What an import has saved in parts, and the server that takes it away where it does not come to its end. On SQLite."""

import asyncio
import json
import threading

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import Conflict, NotFound, Refusal
from pendesk.ids import new_id
from pendesk.operations.exchange import delete_unfinished_imports, import_project
from pendesk.store import people, sign_in
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.desk import HandClock, TestDesk
from tests.exchange import exported, folder_of, import_file, lived_through
from tests.patience import PATIENCE_S
from tests.refusals import refused

TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_index%'"
# Of these the deletion keeps nothing either, but others write into them meanwhile.
OF_OTHERS = {"events", "event_seals", "agent_sessions"}


@pytest.fixture
async def desk(tmp_path):
    migrate(tmp_path / "pendesk.db", None)
    store = SqliteStore(tmp_path / "pendesk.db", HandClock())
    desk = await TestDesk(store, HandClock()).open()
    yield desk
    await store.close()


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


@pytest.fixture
async def lived(desk, tmp_path):
    """The export of a project that has something in every table, of another installation."""
    migrate(tmp_path / "there.db", None)
    there = await TestDesk(SqliteStore(tmp_path / "there.db", desk.clock), desk.clock).open()
    eve, project = await lived_through(there)
    file = await exported(there, eve, project)
    await there.store.close()
    return file


async def counts(desk):
    """How many rows there are in every table."""

    def count(tx):
        tables = [row[0] for row in tx.all(TABLES)]
        return {table: tx.one(f"SELECT count(*) FROM {table}")[0] for table in tables if table not in OF_OTHERS}

    return await desk.store.read("", count)


async def is_sound(desk):
    checks = "PRAGMA integrity_check", "PRAGMA foreign_key_check"
    found = await desk.store.long_read("", lambda tx: [tx.all(check) for check in checks])
    return found == [[("ok",)], []]


async def delete(desk):
    return await desk.dispatcher.call_as_server(delete_unfinished_imports.OPERATION, None)


class Stopped(Exception):
    """As if the process had ended: nothing comes after it."""


@pytest.fixture
def stopped_before_its_last_step(monkeypatch):
    def stop(*_arguments):
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(import_project, "_check_anew", stop)
        yield patched


@pytest.fixture
def meanwhile(monkeypatch):
    """Holds the first import before its last step until `go_on`; others write, and its rows are saved."""
    here, go_on = threading.Event(), threading.Event()
    sum_up = import_project._sum_up

    def wait_once(call, project_id):
        if not here.is_set():
            here.set()
            assert go_on.wait(PATIENCE_S)
        return sum_up(call, project_id)

    monkeypatch.setattr(import_project, "_sum_up", wait_once)
    yield here, go_on
    go_on.set()


async def begun(meanwhile, importing):
    task = asyncio.create_task(importing)
    assert await asyncio.to_thread(meanwhile[0].wait, PATIENCE_S)
    return task


async def test_what_ended_before_its_last_step_is_deleted_whole(desk, ada, lived, stopped_before_its_last_step):
    before = await counts(desk)
    with pytest.raises(Stopped):
        await import_file(desk, ada, lived, take_part=True)
    assert (await counts(desk))["actions"] > before["actions"]
    assert await delete(desk) == 1
    assert (await counts(desk), await is_sound(desk), await delete(desk)) == (before, True, 0)


async def test_what_ended_so_is_imported_again_at_once(desk, ada, lived, stopped_before_its_last_step):
    with pytest.raises(Stopped):
        await import_file(desk, ada, lived)
    stopped_before_its_last_step.undo()
    imported = await import_file(desk, ada, lived)
    assert await desk.call(ada, "get_project", project_id=imported["key"])
    assert (await is_sound(desk), await delete(desk)) == (True, 0)


async def test_an_import_that_runs_is_left_alone(desk, ada, lived, meanwhile):
    importing = await begun(meanwhile, import_file(desk, ada, lived))
    assert await delete(desk) == 0
    meanwhile[1].set()
    imported = await importing
    assert await desk.call(ada, "get_project", project_id=imported["key"])
    assert await is_sound(desk)


async def test_of_two_imports_of_a_file_the_one_that_began_first_succeeds(desk, ada, lived, meanwhile):
    first = await begun(meanwhile, import_file(desk, ada, lived))
    with refused(Conflict, "import_under_way"):
        await import_file(desk, ada, lived)
    meanwhile[1].set()
    imported = await first
    with refused(Conflict, "already_here"):
        await import_file(desk, ada, lived)
    assert await exported(desk, ada, imported["key"])
    assert await is_sound(desk)


async def test_of_two_projects_with_one_key_the_one_that_ends_first_gets_it(desk, ada, lived, meanwhile):
    before = folder_of(desk)
    first = await begun(meanwhile, import_file(desk, ada, lived))
    await desk.call(ada, "create_project", name="Quicker", key=key_of(lived))
    rows = await counts(desk)
    meanwhile[1].set()
    with refused(Conflict, "key_taken"):
        await first
    after = await counts(desk)
    assert after["projects"] == rows["projects"]
    assert (after["actions"], after["unfinished_imports"], folder_of(desk)) == (0, 0, before)
    assert await is_sound(desk)


async def test_a_copy_takes_the_next_key_that_is_free_at_the_end(desk, ada, lived, meanwhile):
    key = key_of(lived)
    importing = await begun(meanwhile, import_file(desk, ada, lived, as_copy=True))
    await desk.call(ada, "create_project", name="Quicker", key=key)
    meanwhile[1].set()
    imported = await importing
    assert imported["key"] != key
    assert (await desk.call(ada, "get_project", project_id=imported["key"]))["name"] == imported["name"]


def key_of(file):
    return next(row["project"]["key"] for row in map(json.loads, file.splitlines()) if "project" in row)


@pytest.mark.parametrize("change", ["removed", "viewer", "signed out"])
async def test_who_may_no_longer_import_at_the_end_has_imported_nothing(desk, lived, meanwhile, change):
    eve = await signed_in(desk)
    before = await counts(desk)
    importing = await begun(meanwhile, import_file(desk, eve, lived))

    def end(tx):
        if change == "removed":
            people.remove_member(tx, eve.user_id)
        elif change == "viewer":
            people.set_role(tx, eve.user_id, "viewer")
        else:
            sign_in.end_session_by_id(tx, eve.user_id, eve.session_id)

    await desk.store.write(desk.workspace, end)
    meanwhile[1].set()
    with pytest.raises(Refusal):
        await importing
    assert await counts(desk) == before


async def signed_in(desk):
    eve = await desk.person("Eve", Role.OWNER)
    session = new_id()
    await desk.store.write(
        desk.workspace, lambda tx: sign_in.add_session(tx, session, eve.user_id, 2**52, browser="a browser")
    )
    (row,) = (await desk.call(eve, "list_sessions"))["sessions"]
    return eve._replace(session_id=row["sessionId"])


async def test_whoever_was_added_by_another_import_meanwhile_is_added_once(desk, ada, lived, meanwhile):
    importing = await begun(meanwhile, import_file(desk, ada, lived))
    await import_file(desk, ada, lived, as_copy=True, key="TWO")
    meanwhile[1].set()
    await importing
    assert await is_sound(desk)


async def test_what_others_write_meanwhile_stays(desk, ada, lived, meanwhile):
    importing = await begun(meanwhile, import_file(desk, ada, lived))
    project = await desk.call(ada, "create_project", name="Mine", key="MIN")
    with refused(NotFound):
        await desk.call(ada, "get_project", project_id=key_of(lived))
    meanwhile[1].set()
    await importing
    assert (await desk.call(ada, "get_project", project_id="MIN"))["pid"] == project["pid"]
