"""What a server deletes, counts and checks for itself, on both engines."""

from pendesk.domain.access import Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.limits import IDEMPOTENCY_US, MINUTE_US, REQUEST_BLOCK_US, SESSION_MARKS_KEPT_US, SESSION_US
from pendesk.operations.housekeeping import (
    check_writable,
    count_live_claims,
    delete_old_idempotency_keys,
    delete_old_invites,
    delete_old_rate_windows,
    delete_old_session_marks,
    delete_old_sign_ins,
    get_time,
    take_request_block,
)
from pendesk.operations.housekeeping.take_request_block import TakeRequestBlock
from tests.callers import start_session
from tests.workbench import published_spec


async def count(desk, table):
    """Rows of this test's own workspace."""
    sql = f"SELECT count(*) FROM {table} WHERE workspace_id = :workspace"
    return (await desk.store.read(desk.workspace, lambda tx: tx.one(sql)))[0]


async def test_get_time_is_the_clock_of_the_store(desk):
    before = await desk.store.read("", lambda tx: tx.now)
    desk.clock.forward(5)
    assert await desk.dispatcher.call_as_server(get_time.OPERATION, None) == before + 5


async def test_check_writable_writes(desk):
    sql = "SELECT value FROM installation WHERE name = 'checked_at'"
    await desk.dispatcher.call_as_server(check_writable.OPERATION, None)
    (checked_at,) = await desk.store.read("", lambda tx: tx.one(sql))
    assert int(checked_at) == await desk.store.read("", lambda tx: tx.now)


async def test_count_live_claims_counts_those_of_every_workspace(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    before = await desk.dispatcher.call_as_server(count_live_claims.OPERATION, None)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    assert await desk.dispatcher.call_as_server(count_live_claims.OPERATION, None) == before + 1


async def test_old_idempotency_keys_are_deleted_and_young_ones_stay(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "create_project", name="Old", idempotency_key="old")
    desk.clock.forward(IDEMPOTENCY_US)
    await desk.call(ada, "create_project", name="New", idempotency_key="new")
    await desk.dispatcher.call_as_server(delete_old_idempotency_keys.OPERATION, None)
    assert await count(desk, "idempotency_keys") == 1


async def test_marks_of_sessions_that_were_silent_for_long_are_deleted_unless_they_hold_something(desk):
    ada = await desk.person("Ada")
    token = (await desk.call(ada, "create_token", name="Laptop"))["tokenId"]
    work = await published_spec(desk, ada)

    def terminal(number):
        origin = CallOrigin("codex", marks=frozenset({make_mark(MarkKind.PROCESS, str(number))}))
        return ada._replace(token_id=token, origin=origin)

    for number, action in enumerate(work.actions):
        await desk.call(terminal(number), "claim_action", action_pid=action["pid"])
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"])
    assert await count(desk, "agent_session_news") == 1
    desk.clock.forward(SESSION_MARKS_KEPT_US)
    await desk.call(terminal(2), "get_action_brief", action_pid=work.actions[0]["pid"])
    await desk.dispatcher.call_as_server(delete_old_session_marks.OPERATION, None)
    assert await count(desk, "agent_session_marks") == 2
    assert await count(desk, "agent_session_news") == 0
    assert await count(desk, "agent_sessions") == 3


async def test_expired_sign_ins_are_deleted(desk):
    ada = await desk.person("Ada")
    link = await desk.call(ada, "create_sign_in_link")
    await start_session(desk.dispatcher, link["url"].partition("code=")[2])
    await desk.dispatcher.call_as_server(delete_old_sign_ins.OPERATION, None)
    assert (await count(desk, "sign_in_links"), await count(desk, "sessions")) == (1, 1)
    desk.clock.forward(SESSION_US)
    await desk.dispatcher.call_as_server(delete_old_sign_ins.OPERATION, None)
    assert (await count(desk, "sign_in_links"), await count(desk, "sessions")) == (0, 0)


async def test_expired_invites_are_deleted(desk):
    owner = await desk.person("Ada", Role.OWNER)
    await desk.call(owner, "invite_member", email="bob@example.com")
    await desk.dispatcher.call_as_server(delete_old_invites.OPERATION, None)
    assert await count(desk, "invites") == 1
    desk.clock.forward(365 * 24 * 60 * MINUTE_US)
    await desk.dispatcher.call_as_server(delete_old_invites.OPERATION, None)
    assert await count(desk, "invites") == 0


async def test_requests_are_counted_for_all_processes_and_forgotten_after_a_minute(desk):
    if desk.dispatcher.database_engine != "postgres":  # one process counts in memory
        return

    async def take(server, *used):
        request = TakeRequestBlock(desk.workspace, server, list(used), 1, 2)
        return (await desk.dispatcher.call_as_server(take_request_block.OPERATION, request))[:2]

    first, second = await take("one"), await take("two")
    assert (first[0], second[0]) == (1, 1)
    assert await take("one", desk.clock()) == (0, MINUTE_US)
    desk.clock.forward(MINUTE_US + REQUEST_BLOCK_US)
    await desk.dispatcher.call_as_server(delete_old_rate_windows.OPERATION, None)
    sql = "SELECT count(*) FROM rate_windows WHERE key = :key"
    assert await desk.store.read("", lambda tx: tx.one(sql, key=desk.workspace)) == (0,)
