"""What a session does now and what it did, as people read it."""

import pytest

from pendesk.clock import to_iso
from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import HOUR_US, PAGE_ROWS
from pendesk.domain.session_activity import HookEvent
from pendesk.ids import new_id
from tests.desk import MINUTE, SECOND

BEFORE, AFTER = HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOL
EDIT = {"tool": "Edit", "detail": "src/app.py", "tool_use_id": "use-1"}


async def state_of(desk, ada, session_id):
    return (await desk.call(ada, "get_session_activity", agent_session_id=session_id))["state"]


async def listed(desk, ada, session_id):
    agents = (await desk.call(ada, "list_agents"))["agents"]
    return next(session for agent in agents for session in agent["sessions"] if session["pid"] == session_id)


async def test_a_session_that_no_hook_reports_has_no_state(desk, ada, session_of):
    session_id = await session_of()
    answer = await desk.call(ada, "get_session_activity", agent_session_id=session_id)
    assert [held["refCode"] for held in answer.pop("held")] == ["PEN-1"]
    assert answer == {
        "pid": session_id,
        "name": "Claude Code on ada-laptop",
        "agent": "Claude Code on ada-laptop",
        "user": "Ada",
        "client": "claude-code",
        "model": None,
        "startedAt": to_iso(desk.clock()),
        "lastSignAt": to_iso(desk.clock()),
        "ended": False,
        "hooks": False,
        "steps": [],
    }
    assert "activity" not in await listed(desk, ada, session_id)


async def test_the_newest_step_comes_first_and_a_sub_agents_carries_its_name(desk, ada, session_of, report):
    session_id, start = await session_of(), desk.clock()
    await report(session_id, (HookEvent.USER_PROMPT, {}))
    desk.clock.forward(SECOND)
    await report(session_id, (BEFORE, EDIT))
    desk.clock.forward(SECOND)
    await report(session_id, (AFTER, EDIT), (BEFORE, {"tool": "Grep", "thread": "sub-1", "thread_kind": "Explore"}))
    answer = await desk.call(ada, "get_session_activity", agent_session_id=session_id)
    assert answer["hooks"] is True
    at = [to_iso(start + seconds * SECOND) for seconds in range(3)]
    assert answer["state"] == {
        "state": "working",
        "since": at[0],
        "lastStepAt": at[2],
        "tool": "Grep",
        "subagent": "sub-1",
    }
    assert answer["steps"] == [
        {"event": "PreToolUse", "tool": "Grep", "subagent": "sub-1", "subagentKind": "Explore", "startedAt": at[2]},
        {
            "event": "PreToolUse",
            "tool": "Edit",
            "detail": "src/app.py",
            "startedAt": at[1],
            "endedAt": at[2],
            "durationMs": 1000,
        },
        {"event": "UserPromptSubmit", "startedAt": at[0], "endedAt": at[0], "durationMs": 0},
    ]


async def test_silence_is_told_from_idling(desk, ada, session_of, report):
    working, idle = await session_of("1", 0), await session_of("2", 1)
    await report(working, (BEFORE, EDIT))
    await report(idle, (HookEvent.STOP, {}))
    start = to_iso(desk.clock())
    desk.clock.forward(5 * MINUTE - 1)
    assert (await state_of(desk, ada, working))["state"] == "working"
    desk.clock.forward(1)
    assert (await state_of(desk, ada, working))["state"] == "silent"
    assert (await state_of(desk, ada, working))["since"] == start
    assert (await state_of(desk, ada, idle))["state"] == "idle"
    assert (await listed(desk, ada, working))["activity"]["state"] == "silent"
    await report(working, (HookEvent.SESSION_END, {}))
    assert (await state_of(desk, ada, working))["state"] == "ended"


async def test_hooks_that_stopped_reporting_are_not_taken_for_working(desk, ada, work, terminal, session_of, report):
    session_id = await session_of()
    await report(session_id, (HookEvent.STOP, {}))
    desk.clock.forward(2 * HOUR_US)
    assert (await listed(desk, ada, session_id))["hooks"] is True  # it only waits for its person
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[1]["pid"])
    assert "hooks" not in await listed(desk, ada, session_id)


async def test_steps_come_in_pages(desk, ada, session_of, report):
    session_id = await session_of()
    for number in range(PAGE_ROWS + 10):
        await report(session_id, (HookEvent.PERMISSION, {"tool": f"tool-{number}"}))
    first = await desk.call(ada, "get_session_activity", agent_session_id=session_id)
    rest = await desk.call(ada, "get_session_activity", agent_session_id=session_id, cursor=first["nextCursor"])
    assert "nextCursor" not in rest
    tools = [step["tool"] for step in first["steps"] + rest["steps"]]
    assert tools == [f"tool-{number}" for number in reversed(range(PAGE_ROWS + 10))]
    for cursor in ("x", "1.2.3", "99999999999999999.a", "1.~"):
        with pytest.raises(BadField):
            await desk.call(ada, "get_session_activity", agent_session_id=session_id, cursor=cursor)


async def test_a_viewer_reads_it_and_nobody_of_another_workspace(desk, session_of):
    session_id = await session_of()
    viewer = await desk.person("Vera", Role.VIEWER)
    await desk.call(viewer, "get_session_activity", agent_session_id=session_id)
    for pid in (new_id(), "not an id"):
        with pytest.raises(NotFound):
            await desk.call(viewer, "get_session_activity", agent_session_id=pid)


async def test_an_action_shows_what_its_holder_did_since_it_took_it(desk, ada, work, terminal, session_of, report):
    session_id, pid = await session_of("1", 1), work.actions[0]["pid"]
    await report(session_id, (HookEvent.PERMISSION, {"tool": "before"}))
    assert "activity" not in await desk.call(ada, "get_action", action_id=pid)
    desk.clock.forward(SECOND)
    await session_of("1", 0)
    for number in range(25):
        desk.clock.forward(SECOND)
        await report(session_id, (HookEvent.PERMISSION, {"tool": f"tool-{number}"}))
    activity = (await desk.call(ada, "get_action", action_id=pid))["activity"]
    assert (activity["sessionPid"], activity["hooks"]) == (session_id, True)
    assert activity["state"]["state"] == "waiting_permission"
    assert [step["tool"] for step in activity["steps"]] == [f"tool-{number}" for number in reversed(range(5, 25))]
    await desk.call(terminal(process="1"), "release_action", action_pid=pid)
    assert "activity" not in await desk.call(ada, "get_action", action_id=pid)
