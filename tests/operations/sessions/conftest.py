"""A session that holds an action, and what its hooks report."""

import pytest

from pendesk.domain.session_activity import Step
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from tests.workbench import published_spec


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3)


@pytest.fixture
async def session_of(desk, work, terminal):
    """Claims an action by a terminal, and gives the id of its session."""

    async def claim(process="1", action=0):
        await desk.call(terminal(process=process), "claim_action", action_pid=work.actions[action]["pid"])
        sql = """SELECT c.session_id FROM claims c WHERE c.workspace_id = :workspace AND c.action_id = :action
          AND c.state = 'active'"""
        row = await desk.store.read(desk.workspace, lambda tx: tx.one(sql, action=work.actions[action]["pid"]))
        return row[0]

    return claim


@pytest.fixture
def report(desk):
    """Saves steps of a session, each as (event, what it says), reported now or `ago` microseconds before."""

    async def save(session_id, *steps):
        reported = [
            Step(desk.workspace, session_id, event, desk.clock() - more.pop("ago", 0), **more)
            for event, more in ((event, dict(more)) for event, more in steps)
        ]
        batch = StepBatch(desk.workspace, reported, [])
        return await desk.dispatcher.call_as_server(save_steps.OPERATION, batch)

    return save


@pytest.fixture
def rows(desk):
    """All rows of a table in this test's workspace: the columns named."""

    async def read(table, columns, order="1"):
        sql = f"SELECT {columns} FROM {table} WHERE workspace_id = :workspace ORDER BY {order}"
        return await desk.store.read(desk.workspace, lambda tx: tx.all(sql))

    return read
