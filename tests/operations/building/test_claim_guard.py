"""A user's agents do not wait for each other where nothing is counted."""

import asyncio
import threading

import pytest

from pendesk.store import people
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
WRITES = [
    ("update_progress", {"status": "started", "message": "On."}),
    ("update_progress", {"status": "started", "message": "On.", "idempotency_key": "once"}),
    ("report_commit", {"sha": SHA, "message": "Work"}),
    ("request_clarification", {"question": "Which?"}),
    ("get_action_brief", {}),
    ("release_action", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
async def test_a_write_that_counts_nothing_does_not_wait_for_the_members_row(desk, ada, tool, arguments):
    if desk.store.engine == "sqlite":
        pytest.skip("one writer: there is no lock on a row")
    work = await published_spec(desk, ada)
    pid = work.actions[0]["pid"]
    await desk.call(ada, "claim_action", action_pid=pid)
    locked, written = threading.Event(), threading.Event()

    def hold_member(tx):
        people.lock_member(tx, ada.user_id)
        assert tx.one("SELECT 1") is not None  # the lock was sent before, and has been given
        locked.set()
        assert written.wait(30), "the write waited for the member's row"

    holding = asyncio.create_task(desk.store.long_write(desk.workspace, hold_member))
    await asyncio.to_thread(locked.wait, 30)
    await desk.call(ada, tool, action_pid=pid, **arguments)
    written.set()
    await holding
