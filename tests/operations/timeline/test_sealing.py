"""The seal over the log: what `pendesk verify` finds, and that it finds nothing where nothing was touched."""

import pytest

from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.operation import Call
from pendesk.operations.timeline.seal_log import EVENTS_PER_STEP
from tests.callers import seal_log, verify_log

KEY = b"the server's secret"


async def log(desk, actor, count):
    def write(tx):
        call = Call(tx, actor, desk.installation)
        for number in range(count):
            call.record(Event("note.created", f"object-{number}", data=TitledData(title=f"Ünïcode {number}")))

    await desk.store.write(desk.workspace, write)


async def tamper(desk, sql, **params):
    await desk.store.write(desk.workspace, lambda tx: tx.run(sql, **params))


@pytest.fixture
async def sealed(desk):
    ada = await desk.person("Ada")
    await log(desk, ada, 5)
    await seal_log(desk.store, KEY)
    await log(desk, ada, 5)
    await seal_log(desk.store, KEY)
    return desk


async def check(desk, key=KEY):
    return await verify_log(desk.store, key, desk.workspace)


async def test_an_untouched_log_verifies(sealed):
    verdict = await check(sealed)
    assert (verdict.events, verdict.sealed_upto, verdict.findings) == (10, 10, [])


async def test_sealing_again_without_new_events_adds_nothing(sealed):
    before = await check(sealed)
    await seal_log(sealed.store, KEY)
    assert await check(sealed) == before


async def test_events_after_the_last_seal_are_counted_but_not_sealed(sealed):
    ada = await sealed.person("Grace")
    await log(sealed, ada, 3)
    verdict = await check(sealed)
    assert (verdict.events, verdict.sealed_upto, verdict.findings) == (13, 10, [])


async def test_a_log_longer_than_one_step_is_sealed_whole(desk):
    ada = await desk.person("Ada")
    await log(desk, ada, EVENTS_PER_STEP + 1)
    await seal_log(desk.store, KEY)
    verdict = await check(desk)
    assert (verdict.sealed_upto, verdict.findings) == (EVENTS_PER_STEP + 1, [])


@pytest.mark.parametrize(
    ("column", "value"),
    [("data", '{"title":"other"}'), ("actor_id", "someone-else"), ("at", 1), ("kind", "note.edited"), ("door", "cli")],
)
async def test_a_changed_event_is_found_and_placed_between_its_seals(sealed, column, value):
    await tamper(
        sealed, f"UPDATE events SET {column} = :value WHERE workspace_id = :workspace AND seq = 7", value=value
    )
    (finding,) = (await check(sealed)).findings
    assert finding == (6, "something between events 6 and 10 was changed")


async def test_a_removed_event_is_found_by_its_number(sealed):
    await tamper(sealed, "DELETE FROM events WHERE workspace_id = :workspace AND seq = 3")
    findings = (await check(sealed)).findings
    assert findings[0] == (3, "events 3 to 3 are missing")


async def test_a_log_cut_off_at_its_end_is_found(sealed):
    await tamper(sealed, "DELETE FROM events WHERE workspace_id = :workspace AND seq > 8")
    (finding,) = (await check(sealed)).findings
    assert finding.problem == "the log ends at 8, but was sealed up to 10: its end was removed"


async def test_a_log_sealed_anew_by_someone_without_the_secret_is_found(sealed):
    await tamper(sealed, "UPDATE events SET data = '{}' WHERE workspace_id = :workspace AND seq = 2")
    await tamper(sealed, "DELETE FROM event_seals WHERE workspace_id = :workspace")
    await seal_log(sealed.store, b"a forger's secret")
    (finding,) = (await check(sealed)).findings
    assert finding.problem == "this seal was not made with this server's secret"
