"""Steps of a session are signs of life: they keep its leases for some hours past the last call about the action."""

import asyncio
import threading
from typing import Any

import pytest

from pendesk.domain.limits import HOUR_US, Limits
from pendesk.domain.session_activity import HookEvent
from pendesk.store import agent_sessions, claims
from tests.desk import MINUTE

LIMITS = Limits()
STEP: tuple[HookEvent, dict[str, Any]] = (HookEvent.AFTER_TOOLS, {})
LEASE = "state, renewed_at, expires_at, last_call_at"


async def steps_until(desk, report, session_id, until: int) -> None:
    while desk.clock() < until:
        desk.clock.forward(min(10 * MINUTE, until - desk.clock()))
        await report(session_id, STEP)


async def test_steps_keep_a_lease_for_two_hours_past_the_last_call(desk, session_of, report, rows):
    session_id, taken_at = await session_of(), desk.clock()
    await steps_until(desk, report, session_id, taken_at + HOUR_US)
    assert await rows("claims", LEASE) == [("active", desk.clock(), desk.clock() + LIMITS.lease_us, taken_at)]
    await steps_until(desk, report, session_id, taken_at + 3 * HOUR_US)
    ((_state, renewed_at, expires_at, last_call_at),) = await rows("claims", LEASE)
    assert (expires_at, last_call_at) == (taken_at + LIMITS.step_lease_us, taken_at)
    assert renewed_at <= expires_at


async def test_a_call_about_the_action_begins_the_two_hours_anew(desk, work, terminal, session_of, report, rows):
    session_id, taken_at = await session_of(), desk.clock()
    await steps_until(desk, report, session_id, taken_at + HOUR_US)
    for tool, arguments in (("get_action_brief", {}), ("update_progress", {"status": "started", "message": "At it"})):
        await desk.call(terminal(process="1"), tool, action_pid=work.actions[0]["pid"], **arguments)
        called_at = desk.clock()
        assert await rows("claims", LEASE) == [("active", called_at, called_at + LIMITS.lease_us, None)]
        await steps_until(desk, report, session_id, called_at + HOUR_US)
        assert await rows("claims", "last_call_at") == [(called_at,)]


async def test_an_expired_lease_is_not_revived(desk, session_of, report, rows):
    session_id, taken_at = await session_of(), desk.clock()
    desk.clock.forward(LIMITS.lease_us)
    await report(session_id, STEP)
    assert await rows("claims", LEASE) == [("active", taken_at, taken_at + LIMITS.lease_us, None)]


async def test_the_cap_of_its_life_holds(desk, work, terminal, session_of, report, rows):
    session_id, taken_at = await session_of(), desk.clock()
    while desk.clock() < taken_at + LIMITS.lease_cap_us - 30 * MINUTE:
        await steps_until(desk, report, session_id, desk.clock() + HOUR_US)
        await desk.call(terminal(process="1"), "get_action_brief", action_pid=work.actions[0]["pid"])
    await steps_until(desk, report, session_id, taken_at + LIMITS.lease_cap_us + HOUR_US)
    assert await rows("claims", "expires_at") == [(taken_at + LIMITS.lease_cap_us,)]


async def test_a_step_a_moment_after_a_call_writes_nothing(desk, session_of, report, rows):
    session_id = await session_of()
    before = await rows("claims", LEASE)
    desk.clock.forward(LIMITS.lease_us // 60 - 1)
    await report(session_id, STEP)
    assert await rows("claims", LEASE) == before


async def test_what_is_no_lease_stays_as_it_is(desk, session_of, report, rows):
    session_id = await session_of()
    kind = "UPDATE claims SET kind = 'task' WHERE workspace_id = :workspace"
    await desk.store.write(desk.workspace, lambda tx: tx.run(kind))
    before = await rows("claims", LEASE)
    desk.clock.forward(10 * MINUTE)
    await report(session_id, STEP)
    assert await rows("claims", LEASE) == before


async def test_the_end_of_a_session_is_no_sign_of_life(desk, session_of, report, rows):
    session_id = await session_of()
    before = await rows("claims", LEASE)
    desk.clock.forward(10 * MINUTE)
    await report(session_id, (HookEvent.SESSION_END, {}))
    assert await rows("claims", LEASE) == before


MEANWHILE: dict[str, tuple[str, dict[str, Any], str]] = {
    "submit_for_review": ("1", {"pr_url": "https://git.example.com/1", "summary": "Done."}, "submitted"),
    "release_action": ("1", {}, "released"),
    "claim_action": ("2", {"take_over": True}, "lost"),
    "update_progress": ("1", {"status": "started", "message": "At it"}, "active"),
}


@pytest.mark.parametrize("tool", MEANWHILE)
async def test_whatever_happens_to_a_lease_between_the_look_and_the_write_stands(
    desk, work, terminal, session_of, report, rows, monkeypatch, tool
):
    """SQLite has one writer: nothing comes between."""
    if desk.store.engine == "sqlite":
        return
    session_id, (process, arguments, state) = await session_of(), MEANWHILE[tool]
    desk.clock.forward(10 * MINUTE)
    # Else the call of the holder would wait for its session, which both want to write.
    await desk.store.write(desk.workspace, lambda tx: agent_sessions.record_signs_of_life_by_hooks(tx, [session_id]))
    has_looked, may_write = threading.Event(), threading.Event()
    write = claims.save_leases_kept_by_steps

    def write_later(tx, leases):
        has_looked.set()
        assert may_write.wait(10)
        write(tx, leases)

    monkeypatch.setattr(claims, "save_leases_kept_by_steps", write_later)
    saving = asyncio.create_task(report(session_id, STEP))
    await asyncio.to_thread(has_looked.wait, 10)
    desk.clock.forward(1)
    await desk.call(terminal(process=process), tool, action_pid=work.actions[0]["pid"], **arguments)
    columns = "state, renewed_at, expires_at, ended_at, last_call_at"
    after = await rows("claims", columns, "fence")
    may_write.set()
    await saving
    assert await rows("claims", columns, "fence") == after
    assert after[0][0] == state
