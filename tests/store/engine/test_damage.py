"""A database file that the disk has changed is known for damaged, before anybody happens to read that page."""

import apsw
import pytest

from pendesk import clock
from pendesk.store.engine import sqlite
from pendesk.store.engine.sqlite import SqliteStore, connect

PAGE_BYTES = 4096


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pendesk.sqlite3"
    connection = connect(path)
    connection.execute("CREATE TABLE spread (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    connection.executemany("INSERT INTO spread (name) VALUES (?)", [(f"name {number:05}",) for number in range(5_000)])
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    return path


def flip(path, page, offset, byte=b"\xff"):
    with path.open("r+b") as database:
        database.seek((page - 1) * PAGE_BYTES + offset)
        database.write(byte)


def root_page(path, name):
    connection = apsw.Connection(str(path))
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchall()[0][0]
    connection.close()
    return page


async def look(path, *fulls):
    store = SqliteStore(path, clock.now_us)
    try:
        return [bool(await store.look_for_damage(full=full)) for full in fulls], store.known_damage()
    finally:
        await store.close()


async def test_a_sound_file_has_none(file):
    assert await look(file, False, True) == ([False, False], "")


async def test_a_page_that_is_none_any_more_is_seen_by_a_quick_look(file):
    flip(file, root_page(file, "spread"), 0)
    looked, damage = await look(file, False)
    assert looked == [True]
    assert damage


async def test_what_a_quick_look_does_not_see_a_full_one_does_and_a_quick_one_does_not_forget(file):
    content = file.read_bytes()
    flip(file, 1 + content.rindex(b"name 02500") // PAGE_BYTES, content.rindex(b"name 02500") % PAGE_BYTES, b"m")
    looked, damage = await look(file, False, True, False)
    assert (looked, "spread" in damage) == ([False, True, True], True)


async def test_the_end_of_the_server_breaks_it_off(file, monkeypatch):
    monkeypatch.setattr(sqlite, "STEPS_BETWEEN_LOOKS", 10)
    store = SqliteStore(file, clock.now_us)
    store._closing = True
    flip(file, root_page(file, "spread"), 0)
    assert await store.look_for_damage(full=True) == ""
    store._closing = False
    assert await store.look_for_damage(full=True) != ""
    await store.close()
