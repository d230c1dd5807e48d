"""A user's agents do not wait for each other where nothing is counted."""

import asyncio
import threading
from contextlib import asynccontextmanager

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


@asynccontextmanager
async def locked_member(desk, user_id):
    """Another transaction has the row of the member meanwhile."""
    locked, finished = threading.Event(), threading.Event()

    def hold_member(tx):
        people.lock_member(tx, user_id)
        assert tx.one("SELECT 1") is not None  # the lock was sent before, and has been given
        locked.set()
        assert finished.wait(30), "it waited for the member's row"

    holding = asyncio.create_task(desk.store.long_write(desk.workspace, hold_member))
    await asyncio.to_thread(locked.wait, 30)
    yield
    finished.set()
    await holding


@pytest.fixture
async def held(desk, ada):
    if desk.store.engine == "sqlite":
        pytest.skip("one writer: there is no lock on a row")
    work = await published_spec(desk, ada)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return work.actions[0]["pid"]


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
async def test_a_write_that_counts_nothing_does_not_wait_for_the_members_row(desk, ada, held, tool, arguments):
    async with locked_member(desk, ada.user_id):
        await desk.call(ada, tool, action_pid=held, **arguments)


async def test_nor_does_a_relayed_answer(desk, ada, held):
    question = await desk.call(ada, "request_clarification", action_pid=held, question="Which?")
    async with locked_member(desk, ada.user_id):
        await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="One.")
