"""A short run of `make crash`, and the proof that its ledger sees what is missing."""

import asyncio
import random
import subprocess
import sys
from contextlib import closing

import apsw
import pytest

from pendesk import clock
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.crash.kills import check_file
from tests.crash.ledger import Ledger
from tests.crash.load import Load, World, seed


def test_a_short_run():
    command = [
        sys.executable,
        "-m",
        "tests.crash",
        "--kills=5",
        "--cuts=20",
        "--postgres-kills=2",
        "--writer-kills=2",
        "--import-kills=4",
    ]
    command += ["--postgres-restarts=2", "--statements=40", "--rotation-steps=5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing acknowledged was lost" in done.stdout


@pytest.fixture
def worked(tmp_path):
    """A database after some work, with its ledger."""
    path = tmp_path / "pendesk.db"
    ledger = Ledger(World.new())

    async def work():
        store = SqliteStore(path, clock.now_us)
        await seed(store, ledger.world)
        await Load(store, ledger.world, ledger.hear, random.Random(3)).run([], 40)
        await store.close()

    migrate(path, None)
    asyncio.run(work())
    assert check_file(path, ledger, thorough=True) == []
    return path, ledger


LAST = "(SELECT max(seq) FROM events WHERE kind = '{}')"


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "lost|half"),
        ("DELETE FROM events WHERE seq = 7", "gaps"),
        (f"DELETE FROM events WHERE seq = {LAST.format('action.progressed')}", "lost: update_progress"),
        ("DELETE FROM commit_criteria", "lost: report_commit"),
        ("DELETE FROM commit_actions", "lost: report_commit"),
        ("DELETE FROM test_results WHERE id = (SELECT max(id) FROM test_results)", "half: test.reported"),
        ("DELETE FROM evidence", "half: evidence"),
        ("UPDATE clarifications SET answer = NULL", "lost: answer_clarification"),
        ("DELETE FROM submissions", "lost: submit_for_review"),
        ("UPDATE criteria SET status = 'pending'", "lost: report_test_result"),
        ("UPDATE claims SET state = 'lost' WHERE state = 'active'", "half: action"),
        ("UPDATE actions SET fence = fence + 1", "half: action"),
        ("UPDATE claims SET last_message = 'another'", "half: claim"),
        ("DELETE FROM idempotency_keys", "lost: claim_action"),
    ],
)
def test_the_ledger_sees_what_is_missing(worked, damage, found):
    path, ledger = worked
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(damage)
    faults = "\n".join(check_file(path, ledger, thorough=False))
    assert any(word in faults for word in found.split("|")), faults
