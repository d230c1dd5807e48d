import pytest

from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import BUILT_IN
from pendesk.operations.oauth.open_consent import ConsentRequest
from tests.callers import answer_consent, find_device, open_consent, poll_device, start_device
from tests.desk import SECOND, TestDesk
from tests.operations.oauth.granting import at_once, resource_of, session_of
from tests.operations.oauth.test_redeem_code import is_good
from tests.refusals import refused


@pytest.fixture
async def started(desk):
    return await start_device(desk.dispatcher, BUILT_IN, "specs.read", resource_of(desk))


async def poll(desk, started, client="penling-mcp"):
    return await poll_device(desk.dispatcher, started.device_code, client)


async def answer(desk: TestDesk, person, started, *, allowed=True):
    device = await find_device(desk.dispatcher, started.user_code)
    assert device is not None
    session = await session_of(desk, person)
    asked = ConsentRequest(
        device.client_id, device.client_name, device.scopes, device.resource, device_hash=device.hash
    )
    ticket = await open_consent(desk.dispatcher, session, asked)
    return await answer_consent(desk.dispatcher, ticket, session, person.user_id, person.workspace_id, allowed)


async def test_it_waits_is_let_in_and_gets_tokens_once(desk, person, started):
    with refused(OAuthRefused, "authorization_pending"):
        await poll(desk, started)
    assert (await answer(desk, person, started)).done
    issued = await poll(desk, started)
    assert await is_good(desk, issued.access_token)
    with refused(OAuthRefused, "invalid_grant"):
        await poll(desk, started)
    assert await is_good(desk, issued.access_token)


async def test_of_100_questions_at_once_one_is_given_tokens(desk, person, started):
    await answer(desk, person, started)
    given, refusals = await at_once(100, lambda: poll(desk, started))
    assert len(given) == 1
    assert {refusal.code for refusal in refusals} == {"invalid_grant"}


async def test_asking_too_often_is_told_and_lengthens_the_wait(desk, started):
    with refused(OAuthRefused, "authorization_pending"):
        await poll(desk, started)
    desk.clock.forward(4 * SECOND)
    with refused(OAuthRefused, "slow_down"):
        await poll(desk, started)
    desk.clock.forward(6 * SECOND)  # five more are wanted now
    with refused(OAuthRefused, "slow_down"):
        await poll(desk, started)
    desk.clock.forward(15 * SECOND)
    with refused(OAuthRefused, "authorization_pending"):
        await poll(desk, started)


async def test_a_no_is_told(desk, person, started):
    await answer(desk, person, started, allowed=False)
    for _ in range(2):
        with refused(OAuthRefused, "access_denied"):
            await poll(desk, started)


async def test_nobody_in_time(desk, person, started):
    desk.clock.forward(600 * SECOND)
    with refused(OAuthRefused, "expired_token"):
        await poll(desk, started)
    assert await find_device(desk.dispatcher, started.user_code) is None
    desk.clock.forward(-300 * SECOND)  # it does not come back with the clock
    assert await find_device(desk.dispatcher, started.user_code) is None
    with refused(OAuthRefused, "access_denied"):
        await poll(desk, started)


async def test_another_client_cannot_take_it(desk, person, started):
    await answer(desk, person, started)
    with refused(OAuthRefused, "invalid_grant"):
        await poll(desk, started, "another")
    assert await poll(desk, started)


async def test_a_code_serves_one_person_once(desk, person, started):
    first, second = await session_of(desk, person), await session_of(desk, person)
    device = await find_device(desk.dispatcher, started.user_code)
    assert device is not None
    asked = ConsentRequest(
        device.client_id, device.client_name, device.scopes, device.resource, device_hash=device.hash
    )
    tickets = [await open_consent(desk.dispatcher, session, asked) for session in (first, second)]
    answered = await answer_consent(desk.dispatcher, tickets[0], first, person.user_id, desk.workspace, allowed=True)
    assert answered is not None
    assert answered.done
    assert await find_device(desk.dispatcher, started.user_code) is None
    answered = await answer_consent(desk.dispatcher, tickets[1], second, person.user_id, desk.workspace, allowed=True)
    assert answered is not None
    assert not answered.done


async def test_who_is_removed_meanwhile_lets_nobody_in(desk, person, started):
    owner = await desk.person("Owner", role=type(person.role).OWNER)
    await answer(desk, person, started)
    await desk.call(owner, "remove_member", user_pid=person.user_id)
    with refused(OAuthRefused, "access_denied"):
        await poll(desk, started)


async def test_codes_differ_and_are_not_in_the_database(desk):
    made = [await start_device(desk.dispatcher, BUILT_IN, "specs.read", "r") for _ in range(20)]
    assert len({each.user_code for each in made}) == 20
    rows = str(await desk.store.read("", lambda tx: tx.all("SELECT * FROM oauth_devices")))
    for each in made:
        assert each.device_code not in rows
        assert each.user_code not in rows
        assert each.user_code.replace("-", "") not in rows
