"""Steps are deleted after some days, and all but the newest of a session."""

from pendesk.domain.limits import DAY_US, STEPS_PER_SESSION
from pendesk.domain.session_activity import HookEvent
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.registry import OPERATIONS
from pendesk.operations.sessions import delete_old_steps

PROMPT: tuple[HookEvent, dict[str, str]] = (HookEvent.USER_PROMPT, {})


async def test_old_steps_and_states_are_deleted(desk, session_of, report, rows):
    old, new = await session_of("1", 0), await session_of("2", 1)
    await report(old, PROMPT)
    desk.clock.forward(7 * DAY_US)
    await report(new, PROMPT)
    await desk.dispatcher.call_as_server(delete_old_steps.OPERATION, None)
    assert sorted(row[0] for row in await rows("session_steps", "session_id")) == sorted([old, new])
    desk.clock.forward(1)
    await desk.dispatcher.call_as_server(delete_old_steps.OPERATION, None)
    assert await rows("session_steps", "session_id") == [(new,)]
    assert await rows("session_activity", "session_id") == [(new,)]


async def test_the_newest_of_a_session_stay(desk, session_of, report, rows):
    session_id, other = await session_of("1", 0), await session_of("2", 1)
    await report(other, PROMPT)
    for _ in range(3):
        desk.clock.forward(1)
        await report(session_id, *[PROMPT] * (STEPS_PER_SESSION // 2))
    await desk.dispatcher.call_as_server(delete_old_steps.OPERATION, None)
    times = [row[0] for row in await rows("session_steps", "started_at", "started_at")]
    assert len(times) == STEPS_PER_SESSION + 1
    assert times[1] == desk.clock() - 1


async def test_without_any_days_none_stay_but_what_a_session_does_now(desk, session_of, report, rows):
    await report(await session_of(), PROMPT)
    limits = desk.installation.limits._replace(activity_days=0)
    dispatcher = Dispatcher(desk.store, OPERATIONS, desk.installation._replace(limits=limits))
    desk.clock.forward(1)
    await dispatcher.call_as_server(delete_old_steps.OPERATION, None)
    assert await rows("session_steps", "id") == []
    assert len(await rows("session_activity", "state")) == 1
