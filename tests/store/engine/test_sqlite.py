"""The writer with group commit, and the reads beside it."""

import asyncio
import subprocess
import sys
import threading

import apsw
import pytest

from pendesk import clock
from pendesk.domain.errors import RuleBroken, Unavailable
from pendesk.ids import new_id
from pendesk.store.engine import sqlite, sqlite_turn
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.disk import Disk, io_error
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.usefixtures("commits_wait_for_the_disk")

INSERT = "INSERT INTO workspaces (id, name, created_at) VALUES (:id, :name, 0)"
NAMES = "SELECT name FROM workspaces ORDER BY name"

HOLD_THE_LOCK = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
"""


@pytest.fixture
def disk():
    disk = Disk(f"watched-{new_id()}")
    yield disk
    disk.close()


@pytest.fixture
async def store(tmp_path, disk):
    path = tmp_path / "pendesk.db"
    migrate(path, None)
    store = SqliteStore(path, clock.now_us, vfs=disk.name)
    await store.write("", lambda tx: add(tx, "first"))
    disk.counts.clear()
    yield store
    disk.before = lambda kind: None
    await store.close()


def add(tx, name):
    tx.run(INSERT, id=new_id(), name=name)
    return name


async def names(store):
    return [row[0] for row in await store.read("", lambda tx: tx.all(NAMES))]


class HeldSync:
    """The disk's next sync waits until it is let go."""

    def __init__(self, disk):
        self.reached = threading.Event()
        self.let_go = threading.Event()
        disk.before = self._before

    def _before(self, kind):
        if kind == "sync":
            self.reached.set()
            assert self.let_go.wait(30)

    async def wait_until_reached(self):
        assert await asyncio.to_thread(self.reached.wait, 30)


async def test_writes_that_queue_share_one_sync(store, disk):
    answers = await asyncio.gather(*(store.write("", lambda tx, n=n: add(tx, f"w{n}")) for n in range(20)))
    assert answers == [f"w{n}" for n in range(20)]
    assert disk.counts["sync"] == 1
    assert len(await names(store)) == 21


async def test_a_batch_has_a_size(store, disk, monkeypatch):
    monkeypatch.setattr(sqlite, "BATCH_WRITES", 10)
    await asyncio.gather(*(store.write("", lambda tx, n=n: add(tx, f"w{n}")) for n in range(25)))
    assert disk.counts["sync"] == 3


async def test_a_refusal_in_the_middle_leaves_the_others(store, disk):
    def refused(tx):
        add(tx, "half")
        raise RuleBroken("no")

    def faulty(tx):
        add(tx, "half too")
        raise ZeroDivisionError

    answers = await asyncio.gather(
        store.write("", lambda tx: add(tx, "one")),
        store.write("", refused),
        store.write("", faulty),
        store.write("", lambda tx: add(tx, "two")),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [str, RuleBroken, ZeroDivisionError, str]
    assert disk.counts["sync"] == 1
    assert await names(store) == ["first", "one", "two"]


async def test_undo_forgets_what_was_written_and_lets_go_on(store):
    def work(tx):
        add(tx, "forgotten")
        tx.rollback()
        return add(tx, "kept")

    assert await store.write("", work) == "kept"
    assert await names(store) == ["first", "kept"]


async def test_a_write_sees_those_before_it_in_its_batch(store):
    seen = await asyncio.gather(
        store.write("", lambda tx: add(tx, "one")), store.write("", lambda tx: len(tx.all(NAMES)))
    )
    assert [*seen] == ["one", 2]


async def test_an_answer_leaves_only_after_its_commit(store, disk):
    held = HeldSync(disk)
    writing = asyncio.create_task(store.write("", lambda tx: add(tx, "one")))
    await held.wait_until_reached()
    # The loop is free and reads go on, but the write is neither answered nor seen.
    assert await names(store) == ["first"]
    assert not writing.done()
    held.let_go.set()
    assert await writing == "one"
    assert await names(store) == ["first", "one"]


async def test_writes_that_come_during_a_commit_are_the_next_batch(store, disk):
    held = HeldSync(disk)
    first = asyncio.create_task(store.write("", lambda tx: add(tx, "one")))
    await held.wait_until_reached()
    later = [asyncio.create_task(store.write("", lambda tx, n=n: add(tx, f"w{n}"))) for n in range(9)]
    await asyncio.sleep(0)  # they are queued
    assert store.metric_gauges()["queued_writes"] == 9
    held.let_go.set()
    await asyncio.gather(first, *later)
    assert disk.counts["sync"] == 2


async def test_the_write_of_a_cancelled_caller_stands_whole(store, disk):
    def two_rows(tx):
        add(tx, "one")
        add(tx, "two")

    held = HeldSync(disk)
    writing = asyncio.create_task(store.write("", two_rows))
    beside = asyncio.create_task(store.write("", lambda tx: add(tx, "three")))
    await held.wait_until_reached()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    held.let_go.set()
    assert await beside == "three"
    assert await names(store) == ["first", "one", "three", "two"]


async def test_closing_waits_for_what_was_begun(tmp_path):
    path = tmp_path / "pendesk.db"
    migrate(path, None)
    store = SqliteStore(path, clock.now_us)
    writing = asyncio.create_task(store.write("", lambda tx: add(tx, "one")))
    await asyncio.sleep(0)
    await store.close()
    assert await writing == "one"


@pytest.fixture
def another_process(store):
    """Holds the write lock until it gets a line."""
    command = [sys.executable, "-c", HOLD_THE_LOCK, str(store._path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "held\n"
    yield process
    if process.poll() is None:
        process.stdin.write("\n")
    process.stdin.close()
    process.stdout.close()
    process.wait(30)


async def test_a_lock_of_another_process_delays_writes_and_nothing_else(store, another_process):
    tried = threading.Event()
    begin = store._start_batch

    def start_batch(loop, waited_s=0.0):
        begin(loop, waited_s)
        if waited_s > 0:
            tried.set()

    store._start_batch = start_batch
    writing = asyncio.create_task(store.write("", lambda tx: add(tx, "one")))
    while not tried.is_set():  # the loop turns and reads are answered while the writer tries again
        assert await names(store) == ["first"]
        await asyncio.sleep(0)
    assert not writing.done()
    another_process.stdin.write("\n")
    another_process.stdin.flush()
    assert await writing == "one"


async def test_a_lock_that_is_held_too_long_is_told(store, another_process, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_WAIT_S", 0.02)
    with pytest.raises(Unavailable, match="another process has held"):
        await store.write("", lambda tx: add(tx, "one"))
    another_process.stdin.write("\n")
    another_process.stdin.flush()
    another_process.wait(30)
    assert await store.write("", lambda tx: add(tx, "two")) == "two"
    assert await names(store) == ["first", "two"]


async def test_a_checkpoint_comes_after_the_answers(store, disk, monkeypatch):
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 1)
    syncs = []
    answered = threading.Event()

    def before(kind):
        if kind == "sync":
            syncs.append(answered.is_set())
            if len(syncs) == 2:  # the first of the checkpoint
                assert answered.wait(30)

    disk.before = before
    assert await store.write("", lambda tx: add(tx, "one")) == "one"
    answered.set()
    await store.close()
    assert len(syncs) >= 3


async def test_a_write_waits_for_a_long_one_of_its_own_process_however_long(store, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_WAIT_S", 0.0)
    begun, let_go = threading.Event(), threading.Event()

    def take_long(tx):
        begun.set()
        let_go.wait(10)
        return add(tx, "long")

    long = asyncio.create_task(store.long_write("", take_long))
    await asyncio.to_thread(begun.wait, 10)
    short = asyncio.create_task(store.write("", lambda tx: add(tx, "short")))
    for _ in range(20):
        await asyncio.sleep(0)
    let_go.set()
    assert (await long, await short) == ("long", "short")
    assert await names(store) == ["first", "long", "short"]


async def test_a_long_write_gets_its_turn_among_many_short_ones(store):
    """It comes after the batch that is under way, not after all that queue up meanwhile."""
    finished = []

    async def write(name):
        await store.write("", lambda tx: add(tx, name))
        finished.append(name)
        if "long" not in finished:
            await write(f"{name}+")

    async def load():
        await store.long_write("", lambda tx: add(tx, "long"))
        finished.append("long")

    await asyncio.gather(*(write(f"short {number}") for number in range(4)), load())
    assert finished.index("long") <= 3 * 4


async def test_whoever_calls_for_a_long_write_and_leaves_holds_nobody_up(store):
    begun, let_go = threading.Event(), threading.Event()

    def take_long(tx):
        begun.set()
        let_go.wait(10)
        return add(tx, "long")

    left = [asyncio.create_task(store.long_write("", take_long)), asyncio.create_task(store.long_write("", take_long))]
    await asyncio.to_thread(begun.wait, 10)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    let_go.set()
    await store.write("", lambda tx: add(tx, "short"))
    await store.long_write("", lambda tx: add(tx, "second"))
    assert await names(store) == ["first", "long", "long", "second", "short"]


async def test_a_long_write_that_lets_others_write_is_saved_in_parts(store):
    """Others see what it wrote until then, and do not wait for the rest."""
    others_wrote = threading.Event()

    def take_long(tx):
        add(tx, "part 1")
        assert tx.while_others_write(lambda: others_wrote.wait(PATIENCE_S))
        seen = [row[0] for row in tx.all(NAMES)]
        add(tx, "part 2")
        return seen

    long = asyncio.create_task(store.long_write("", take_long))
    while "part 1" not in await names(store):
        await asyncio.sleep(0)
    await store.write("", lambda tx: add(tx, "short"))
    await store.long_write("", lambda tx: add(tx, "other long"))
    others_wrote.set()
    assert await long == ["first", "other long", "part 1", "short"]
    assert await names(store) == ["first", "other long", "part 1", "part 2", "short"]


async def test_a_part_that_was_saved_stays_where_a_later_one_fails(store):
    def fails(tx):
        add(tx, "part 1")
        tx.while_others_write(lambda: None)
        add(tx, "part 2")
        raise RuleBroken("no")

    with pytest.raises(RuleBroken):
        await store.long_write("", fails)
    await store.write("", lambda tx: add(tx, "short"))
    assert await names(store) == ["first", "part 1", "short"]


async def test_long_writes_that_fail_while_others_write_hold_nobody_up(store):
    """Both are under way at once: each waits for the other to have given its turn away."""
    both = threading.Barrier(2)

    def fails_meanwhile(tx):
        def read():
            both.wait(PATIENCE_S)
            raise RuleBroken("no")

        tx.while_others_write(read)

    outcomes = await asyncio.gather(*(store.long_write("", fails_meanwhile) for _ in "ab"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [RuleBroken, RuleBroken]
    assert await store.write("", lambda tx: add(tx, "short")) == "short"


async def test_others_write_once_its_turn_has_lasted_long_enough(store, monkeypatch):
    commits = []

    def commit(connection):
        commits.append(connection.execute("COMMIT"))

    monkeypatch.setattr(sqlite, "commit", commit)

    def take_long(tx):
        tx.let_others_write()
        assert not commits
        monkeypatch.setattr(sqlite_turn, "TURN_S", 0.0)
        tx.let_others_write()
        assert len(commits) == 1

    await store.long_write("", take_long)
    assert len(commits) == 2


async def test_what_is_written_in_parts_may_come_before_what_it_refers_to(store):
    member = "INSERT INTO members (workspace_id, user_id, role, added_at) VALUES ('w', 'late', 'member', 0)"

    def child_first(tx):
        tx.while_others_write(lambda: None)
        tx.run(member)

    await store.long_write("", child_first)
    assert (await store.read("", lambda tx: tx.all("PRAGMA foreign_key_check")))[0][0] == "members"
    with pytest.raises(apsw.ConstraintError):  # of others they are checked as ever
        await store.long_write("", lambda tx: tx.run(member.replace("late", "later")))


async def test_the_store_closes_once_what_lets_others_write_has_ended(store):
    closing = threading.Event()

    def take_long(tx):
        tx.while_others_write(lambda: closing.wait(PATIENCE_S))
        return add(tx, "long")

    long = asyncio.create_task(store.long_write("", take_long))
    await asyncio.sleep(0)
    ending = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    closing.set()
    await ending
    assert await long == "long"


async def test_a_scan_goes_on_with_the_connection_of_one_that_is_over(store, monkeypatch):
    opened = []
    connect = sqlite.connect

    def counted(*arguments, **options):
        opened.append(1)
        return connect(*arguments, **options)

    monkeypatch.setattr(sqlite, "connect", counted)
    for name in ("second", "third"):
        await store.write("", lambda tx, name=name: add(tx, name))
        assert (await store.long_read("", lambda tx: tx.all(NAMES)))[-1] == (name,)
    assert len(opened) == 1


async def test_a_scan_that_fails_leaves_its_connection_to_nobody(store):
    def fails(_tx):
        raise RuleBroken("no")

    with pytest.raises(RuleBroken):
        await store.long_read("", fails)
    assert not store._idle
    assert await store.long_read("", lambda tx: tx.all(NAMES)) == [("first",)]


@pytest.mark.parametrize("way", ["write", "long_write"])
async def test_a_commit_that_fails_for_good_is_told_as_not_known_however_long_the_write(store, disk, way):
    """Its log may hold it whole, where the next process would find it."""

    def fails(kind):
        if kind == "sync":
            raise io_error(apsw.SQLITE_IOERR_FSYNC)()

    disk.before = fails
    with pytest.raises(Unavailable) as refusal:
        await getattr(store, way)("", lambda tx: add(tx, "lost"))
    assert refusal.value.code == "outcome_unknown"
    disk.before = lambda kind: None
    await store.write("", lambda tx: add(tx, "after"))
    assert ("after",) in await store.read("", lambda tx: tx.all(NAMES))


def test_a_commit_waits_for_the_disk_where_no_test_has_said_otherwise(tmp_path):
    shown = "import sys; from pathlib import Path; from pendesk.store.engine.sqlite import connect; "
    shown += "print(connect(Path(sys.argv[1])).pragma('synchronous'))"
    printed = subprocess.run([sys.executable, "-c", shown, tmp_path / "pendesk.db"], capture_output=True, check=True)
    assert printed.stdout.strip() == b"2"  # FULL
