"""Which session a call comes from is remembered for all servers at one PostgreSQL."""

import pytest

from pendesk.operations.housekeeping import delete_old_tool_uses, find_tool_use, record_tool_use
from pendesk.operations.housekeeping.record_tool_use import RecordToolUse
from tests.desk import MINUTE


@pytest.fixture
def on_postgres(desk):
    if desk.store.engine != "postgres":
        pytest.skip("one process, which remembers it")


@pytest.mark.usefixtures("on_postgres")
async def test_what_a_hook_said_is_found_by_any_process_for_an_hour(desk):
    server = desk.dispatcher.call_as_server
    await server(record_tool_use.OPERATION, RecordToolUse("ada", "t1", "session-1", "a7"))
    await server(record_tool_use.OPERATION, RecordToolUse("ada", "t1", "session-2", ""))  # the first stays
    assert (await server(find_tool_use.OPERATION, ("ada", "t1")))[2:] == ("session-1", "a7")
    assert await server(find_tool_use.OPERATION, ("grace", "t1")) is None
    desk.clock.forward(59 * MINUTE)
    await server(delete_old_tool_uses.OPERATION, None)
    assert await server(find_tool_use.OPERATION, ("ada", "t1")) is not None
    desk.clock.forward(2 * MINUTE)
    await server(delete_old_tool_uses.OPERATION, None)
    assert await server(find_tool_use.OPERATION, ("ada", "t1")) is None
