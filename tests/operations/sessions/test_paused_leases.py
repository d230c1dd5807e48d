"""A session that a person has paused keeps what it holds."""

import pytest

from pendesk.domain.limits import HOUR_US, Limits
from pendesk.operations.sessions.paused_leases import extend_leases_for_pause, restart_leases_after_pause
from tests.desk import MINUTE

LIMITS = Limits()


@pytest.fixture
def apply(desk):
    async def run(change, session_id):
        await desk.store.write(desk.workspace, lambda tx: change(tx, session_id, LIMITS))

    return run


async def test_a_lease_lives_up_to_the_cap_while_its_session_is_paused(desk, session_of, apply, rows):
    session_id, taken_at = await session_of(), desk.clock()
    other = await session_of("2", 1)
    desk.clock.forward(20 * MINUTE)
    await apply(extend_leases_for_pause, session_id)
    assert await rows("claims", "session_id, renewed_at, expires_at", "taken_at, id") == [
        (session_id, taken_at, taken_at + LIMITS.lease_cap_us),
        (other, taken_at, taken_at + LIMITS.lease_us),
    ]
    desk.clock.forward(5 * HOUR_US)
    await apply(restart_leases_after_pause, session_id)
    assert (await rows("claims", "expires_at", "taken_at, id"))[0] == (desk.clock() + LIMITS.lease_us,)


@pytest.mark.parametrize("change", [extend_leases_for_pause, restart_leases_after_pause])
async def test_an_expired_lease_is_not_revived(desk, session_of, apply, rows, change):
    session_id, taken_at = await session_of(), desk.clock()
    desk.clock.forward(LIMITS.lease_us)
    await apply(change, session_id)
    assert await rows("claims", "expires_at") == [(taken_at + LIMITS.lease_us,)]


async def test_the_cap_holds_after_a_pause_too(desk, session_of, apply, rows):
    session_id, taken_at = await session_of(), desk.clock()
    await apply(extend_leases_for_pause, session_id)
    desk.clock.forward(LIMITS.lease_cap_us - MINUTE)
    await apply(restart_leases_after_pause, session_id)
    assert await rows("claims", "expires_at") == [(taken_at + LIMITS.lease_cap_us,)]
