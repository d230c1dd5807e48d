import pytest

from pendesk.domain.errors import OAuthRefused, Unauthenticated
from pendesk.store import people
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import redeem_code
from tests.desk import SECOND
from tests.operations.oauth.granting import at_once, client_of, code_for, let_in, redemption
from tests.refusals import refused


async def redeem(desk, code, client, **changes):
    return await redeem_code(desk.dispatcher, redemption(desk, code, client, **changes))


async def is_good(desk, secret):
    try:
        return await authenticate_bearer_token(desk.dispatcher, f"Bearer {secret}", "mcp") is not None
    except Unauthenticated:
        return False


async def test_a_code_becomes_tokens_that_speak_for_the_person(desk, person, client):
    issued = await let_in(desk, person, client, "specs.read")
    actor = await authenticate_bearer_token(desk.dispatcher, f"Bearer {issued.access_token}", "mcp")
    assert (actor.workspace_id, actor.user_id, actor.role) == (person.workspace_id, person.user_id, person.role)
    assert actor.scopes == {"specs.read"}
    [grant] = (await desk.call(person, "list_grants"))["grants"]
    assert actor.token_id == grant["grantId"]  # so that the rate limit counts the grant
    assert grant["clientName"] == "Some agent"
    assert (await desk.call(person, "list_tokens"))["tokens"] == []


async def test_a_refresh_token_is_no_access_token(desk, person, client):
    issued = await let_in(desk, person, client)
    assert await is_good(desk, issued.access_token)
    assert not await is_good(desk, issued.refresh_token)


async def test_of_200_at_once_one_gets_it_and_the_others_take_it_away(desk, person, client):
    code = await code_for(desk, person, client)
    given, refusals = await at_once(200, lambda: redeem(desk, code, client))
    assert len(given) == 1
    assert {refusal.code for refusal in refusals} == {"invalid_grant"}
    # Whoever comes second shows that two have the code: what it gave is void.
    assert not await is_good(desk, given[0].access_token)
    assert (await desk.call(person, "list_grants"))["grants"] == []


async def test_a_second_use_revokes_what_the_first_gave_also_a_day_later(desk, person, client):
    code = await code_for(desk, person, client)
    issued = await redeem(desk, code, client)
    desk.clock.forward(60 * 30 * SECOND)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)
    assert not await is_good(desk, issued.access_token)
    events = (await desk.call(person, "list_events"))["events"]
    assert [event["kind"] for event in events if event["kind"].startswith("grant.")] == [
        "grant.created",
        "grant.revoked",
    ]


async def test_a_code_lasts_a_minute_and_does_not_come_back(desk, person, client):
    code = await code_for(desk, person, client)
    desk.clock.forward(60 * SECOND)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)
    desk.clock.forward(-30 * SECOND)  # the clock is set back
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)
    code = await code_for(desk, person, client)
    desk.clock.forward(59 * SECOND)
    assert await redeem(desk, code, client)


@pytest.mark.parametrize(
    "change",
    [
        {"verifier": "w" * 64},
        {"verifier": ""},
        {"verifier": "v" * 63},
        {"redirect_uri": "http://127.0.0.1:5001/callback"},
        {"redirect_uri": "http://localhost:5000/callback"},
        {"redirect_uri": ""},
        {"client_id": "penling-mcp"},
        {"resource": "https://elsewhere.example.com/mcp"},
    ],
)
async def test_what_does_not_fit_burns_the_code(desk, person, client, change):
    code = await code_for(desk, person, client)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client, **change)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)
    assert (await desk.call(person, "list_grants"))["grants"] == []


async def test_a_code_of_another_client_is_worth_nothing(desk, person, client):
    other = await client_of(desk, "Another")
    stolen = await code_for(desk, person, client)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, stolen, other)


@pytest.mark.parametrize("code", ["", "x", "pendesk_oac_" + "0" * 49, "pendesk_mcp_" + "0" * 49, "\x00", "x" * 5_000])
async def test_what_cannot_be_a_code_costs_no_look(desk, person, client, code, monkeypatch):
    async def look(*_args):
        raise AssertionError("the database was asked")

    monkeypatch.setattr(desk.store, "look_up", look)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)


async def test_who_was_removed_gets_nothing(desk, person, client):
    owner = await desk.person("Owner", role=type(person.role).OWNER)
    code = await code_for(desk, person, client)
    issued = await let_in(desk, person, client)
    await desk.call(owner, "remove_member", user_pid=person.user_id)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)
    assert not await is_good(desk, issued.access_token)
    # Also not after they have come back: what they gave away before stays ended.
    user = await desk.store.read("", lambda tx: people.user(tx, person.user_id))
    await desk.call(owner, "create_user", name="Ada", email=user.email)
    assert not await is_good(desk, issued.access_token)
    with refused(OAuthRefused, "invalid_grant"):
        await redeem(desk, code, client)


async def test_an_access_token_lasts_an_hour_and_stays_dead(desk, person, client):
    issued = await let_in(desk, person, client)
    desk.clock.forward(3600 * SECOND - 1)
    assert await is_good(desk, issued.access_token)
    desk.clock.forward(1)
    assert not await is_good(desk, issued.access_token)
    desk.clock.forward(-1800 * SECOND)
    assert not await is_good(desk, issued.access_token)


async def test_a_personal_token_seen_expired_stays_dead_too(desk, person):
    made = await desk.call(person, "create_token", name="CI", expires_in_days=1)
    desk.clock.forward(24 * 3600 * SECOND)
    assert not await is_good(desk, made["token"])
    desk.clock.forward(-3600 * SECOND)
    assert not await is_good(desk, made["token"])
    desk.clock.forward(2 * 3600 * SECOND)
    [token] = (await desk.call(person, "list_tokens"))["tokens"]
    assert token["state"] == "expired"
