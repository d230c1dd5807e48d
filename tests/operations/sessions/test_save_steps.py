"""What hooks report of sessions: steps, state and signs of life; nothing of a project that wants none saved."""

from functools import partial

import pytest

from pendesk.domain.limits import SESSION_SEEN_GRAIN_US
from pendesk.domain.session_activity import HookEvent, Step
from pendesk.ids import new_id
from pendesk.operations.caller_session import find_or_create_session
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.registry import OPERATIONS
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from tests.desk import MINUTE, SECOND

BEFORE, AFTER, AFTER_ALL = HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOL, HookEvent.AFTER_TOOLS
EDIT = {"tool": "Edit", "detail": "src/app.py", "tool_use_id": "use-1"}
STATE = "state, state_since, last_step_at, thread, tool, detail"


async def steps_of(rows):
    return await rows("session_steps", "event, thread, tool, detail, started_at, ended_at", "started_at, id")


async def test_a_tools_run_is_one_step_whose_hooks_come_in_different_batches(desk, session_of, report, rows):
    session_id, start = await session_of(), desk.clock()
    assert await report(session_id, (BEFORE, EDIT))
    assert await rows("session_activity", STATE) == [("working", start, start, "", "Edit", "src/app.py")]
    desk.clock.forward(3 * SECOND)
    await report(session_id, (AFTER, EDIT))
    assert await steps_of(rows) == [("PreToolUse", "", "Edit", "src/app.py", start, start + 3 * SECOND)]
    assert await rows("session_activity", STATE) == [("working", start, start + 3 * SECOND, "", "", "")]


async def test_another_process_may_save_the_end_first(desk, session_of, report, rows):
    session_id, start = await session_of(), desk.clock()
    desk.clock.forward(2 * SECOND)
    await report(session_id, (AFTER, EDIT))
    await report(session_id, (BEFORE, EDIT | {"ago": 2 * SECOND}))
    assert await steps_of(rows) == [("PreToolUse", "", "Edit", "src/app.py", start, start + 2 * SECOND)]


async def test_an_end_without_a_tools_name_is_repeated_for_what_is_saved_after_it(desk, session_of, report, rows):
    session_id, start = await session_of(), desk.clock()
    end = Step(desk.workspace, session_id, AFTER_ALL, start + SECOND)
    batch = StepBatch(desk.workspace, [end], [])
    await desk.dispatcher.call_as_server(save_steps.OPERATION, batch)
    await report(session_id, (BEFORE, {"tool": "Bash"}))  # of another process
    nothing_new = StepBatch(desk.workspace, [], [end])
    assert await desk.dispatcher.call_as_server(save_steps.OPERATION, nothing_new)
    assert await steps_of(rows) == [("PreToolUse", "", "Bash", "", start, start + SECOND)]
    assert not await desk.dispatcher.call_as_server(save_steps.OPERATION, nothing_new)


async def test_a_sub_agent_is_told_apart_and_its_end_is_not_that_of_the_turn(desk, session_of, report, rows):
    session_id, sub = await session_of(), {"thread": "sub-1", "thread_kind": "Explore"}
    await report(session_id, (HookEvent.SUBAGENT_START, sub), (BEFORE, sub | {"tool": "Grep", "tool_use_id": "g"}))
    desk.clock.forward(SECOND)
    await report(session_id, (HookEvent.SUBAGENT_STOP, sub))
    kinds = await rows("session_steps", "event, thread, thread_kind, ended_at IS NULL", "started_at, event")
    assert [tuple(map(str, row[:3])) for row in kinds] == [
        ("PreToolUse", "sub-1", "Explore"),
        ("SubagentStart", "sub-1", "Explore"),
        ("SubagentStop", "sub-1", "Explore"),
    ]
    assert not any(row[3] for row in kinds)
    assert [row[0] for row in await rows("session_activity", "state")] == ["working"]


async def test_the_end_of_a_session_is_saved_and_a_later_step_begins_it_again(desk, session_of, report, rows):
    session_id = await session_of()
    desk.clock.forward(SECOND)
    await report(session_id, (HookEvent.STOP, {}), (HookEvent.SESSION_END, {}))
    ended_at = desk.clock()
    assert await rows("agent_sessions", "ended_at, hooks_at") == [(ended_at, ended_at)]
    assert await rows("session_activity", "state, state_since") == [("ended", ended_at)]
    # Reported before the end, saved after it.
    await report(session_id, (AFTER_ALL, {"ago": SECOND}))
    assert await rows("agent_sessions", "ended_at") == [(ended_at,)]
    desk.clock.forward(SECOND)
    await report(session_id, (HookEvent.USER_PROMPT, {}))
    assert await rows("agent_sessions", "ended_at, last_seen_at") == [(None, desk.clock())]
    assert await rows("session_activity", "state") == [("working",)]


async def test_a_sign_of_life_is_saved_no_finer_than_that_of_a_call(desk, session_of, report, rows):
    session_id = await session_of()
    first = desk.clock()
    await report(session_id, (BEFORE, EDIT))
    desk.clock.forward(SESSION_SEEN_GRAIN_US - 1)
    await report(session_id, (AFTER, EDIT))
    assert await rows("agent_sessions", "last_seen_at, hooks_at") == [(first, first)]
    desk.clock.forward(1)
    await report(session_id, (AFTER_ALL, {}))
    assert await rows("agent_sessions", "last_seen_at, hooks_at") == [(desk.clock(), desk.clock())]


async def test_steps_of_an_unknown_session_cost_the_others_nothing(desk, session_of, rows):
    session_id = await session_of()
    steps = [Step(desk.workspace, ident, BEFORE, desk.clock(), tool="Bash") for ident in (new_id(), session_id)]
    await desk.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(desk.workspace, steps, []))
    assert await rows("session_steps", "session_id") == [(session_id,)]


@pytest.mark.parametrize("names_project", [True, False], ids=["the hook names it", "the session holds an action of it"])
async def test_a_project_may_want_nothing_saved(desk, work, session_of, report, rows, names_project):
    session_id, start = await session_of(), desk.clock()
    await report(session_id, (BEFORE, EDIT))
    off = "UPDATE projects SET keeps_activity = 0 WHERE workspace_id = :workspace AND id = :id"
    await desk.store.write(desk.workspace, lambda tx: tx.run(off, id=work.project_id))
    if names_project:
        end = "UPDATE claims SET state = 'released' WHERE workspace_id = :workspace"
        await desk.store.write(desk.workspace, lambda tx: tx.run(end))
    project = {"project_id": work.project_id} if names_project else {}
    desk.clock.forward(SECOND)
    await report(session_id, (AFTER_ALL, project), (HookEvent.PERMISSION, EDIT | project))
    assert await rows("session_activity", STATE) == [("waiting_permission", start + SECOND, start + SECOND, "", "", "")]
    # What ran before has ended; nothing else was added.
    assert [(row[0], row[5]) for row in await steps_of(rows)] == [("PreToolUse", start + SECOND)]


async def test_an_installation_may_want_nothing_saved(desk, session_of, rows):
    session_id = await session_of()
    limits = desk.installation.limits._replace(activity_days=0)
    dispatcher = Dispatcher(desk.store, OPERATIONS, desk.installation._replace(limits=limits))
    step = Step(desk.workspace, session_id, BEFORE, desk.clock(), **EDIT)
    await dispatcher.call_as_server(save_steps.OPERATION, StepBatch(desk.workspace, [step], []))
    assert await rows("session_steps", "id") == []
    assert await rows("session_activity", "state, tool, detail") == [("working", "", "")]


class CountingTx:
    def __init__(self, tx, statements):
        self._tx, self._statements = tx, statements

    def __getattr__(self, name):
        method = getattr(self._tx, name)
        if name not in ("one", "all", "run", "lock"):
            return method

        def counted(sql, **params):
            self._statements.append(sql)
            return method(sql, **params)

        return counted


async def test_a_batch_of_many_sessions_takes_as_few_statements_as_one(desk, session_of, terminal, monkeypatch):
    await session_of()
    for number in range(2, 60):
        actor = terminal(process=str(number))
        await desk.store.write(desk.workspace, partial(find_or_create_session, actor=actor))
    ids = await desk.store.read(
        desk.workspace, lambda tx: tx.all("SELECT id FROM agent_sessions WHERE workspace_id = :workspace ORDER BY id")
    )
    assert len(ids) == 59
    statements: list[str] = []
    write = desk.store.write
    monkeypatch.setattr(
        desk.store, "write", lambda workspace, work: write(workspace, lambda tx: work(CountingTx(tx, statements)))
    )
    counts = []
    for some in (ids[:1], ids):
        statements.clear()
        desk.clock.forward(MINUTE)
        steps = [Step(desk.workspace, row[0], event, desk.clock(), **EDIT) for row in some for event in (BEFORE, AFTER)]
        await desk.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(desk.workspace, steps, []))
        counts.append(len(statements))
    assert counts == [8, 8]
