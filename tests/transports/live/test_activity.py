"""What agent sessions do is no event of the log: streams say that it has changed, and nothing more."""

import asyncio
import uuid

import httpx

from pendesk.domain.session_activity import HookEvent, Step
from pendesk.transports.buffered_steps import save_buffered_steps
from tests.e2e.server import RunningServer, pendesk
from tests.patience import PATIENCE_S
from tests.transports.live.follower import following

ACTIVITY = {"event": "activity", "data": "{}"}


async def session_of(live):
    claim = {"name": "claim_action", "arguments": {"action_pid": live.work.actions[0]["refCode"]}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": claim}
    async with httpx.AsyncClient(headers={"authorization": f"Bearer {live.token}"}) as http:
        assert (await http.post(f"{live.url}/mcp", json=call)).status_code == 200
    agents = (await live.desk.call(live.owner, "list_agents"))["agents"]
    return next(session["pid"] for agent in agents for session in agent["sessions"])


async def report_step(live, session_id):
    live.service.steps.add(Step(live.desk.workspace, session_id, HookEvent.USER_PROMPT, live.desk.clock()))
    await save_buffered_steps(live.service)


async def test_a_stream_says_that_activity_has_changed_and_goes_on_where_it_was(live):
    session_id = await session_of(live)
    async with live.follow() as follower:
        await follower.ready()
        before = follower.id
        await report_step(live, session_id)
        assert await follower.message() == ACTIVITY
        assert follower.id == before
        note = await live.note()
        assert (await follower.event())["objectId"] == note["pid"]


async def test_many_changes_are_told_together(live):
    session_id = await session_of(live)
    async with live.follow() as follower:
        await follower.ready()
        for _ in range(20):
            await report_step(live, session_id)
        await live.note()
        kinds = [(await follower.message()).get("event") for _ in range(2)]
        assert sorted(kinds, key=str) == [None, "activity"]


async def test_a_filtered_stream_hears_nothing_of_it(live):
    session_id = await session_of(live)
    async with live.follow(project_id=live.work.project_id) as follower:
        await follower.ready()
        await report_step(live, session_id)
        await live.note()
        await follower.event()


async def test_where_nothing_was_saved_nothing_is_told(live):
    async with live.follow() as follower:
        await follower.ready()
        await report_step(live, "no such session")
        await live.note()
        await follower.event()


async def test_a_hook_at_one_process_is_told_by_the_stream_of_another(postgres, tmp_path):
    shared = {"PENDESK_DATABASE_URL": postgres.create_database(f"activity_{uuid.uuid4().hex}")}
    with RunningServer(tmp_path / "data", **shared) as first, RunningServer(tmp_path / "data", **shared) as second:
        first.ready()
        second.ready()
        scopes = "--scope", "desk.read", "--scope", "builds.write"
        token = pendesk(tmp_path / "data", "token", "create", "--name", "x", *scopes, **shared).strip()
        headers = {"authorization": f"Bearer {token}"}
        arguments = {"event": "UserPromptSubmit", "session": "terminal-1"}
        hook = {"name": "session_event", "arguments": arguments}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": hook}
        async with httpx.AsyncClient(headers=headers) as http, following(second.url, headers) as follower:
            await follower.ready()
            async with asyncio.timeout(PATIENCE_S):
                for _ in range(3):
                    assert (await http.post(f"{first.url}/mcp", json=call)).status_code == 200
                    assert await follower.message() == ACTIVITY
            listed = (await http.get(f"{second.url}/api/v1/agents")).json()
        states = [session["activity"]["state"] for agent in listed["agents"] for session in agent["sessions"]]
        assert states == ["working"]
