import asyncio

import pytest

from pendesk.domain.errors import OAuthRefused
from pendesk.operations.oauth.refresh_grant import RefreshGrant
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import refresh_grant, revoke_by_token
from tests.desk import SECOND
from tests.operations.oauth.granting import DAY, at_once, client_of, let_in, resource_of
from tests.operations.oauth.test_redeem_code import is_good
from tests.refusals import refused


async def refresh(desk, secret, client, scopes="", resource=None):
    asked = RefreshGrant(secret, client, scopes, resource or resource_of(desk))
    return await refresh_grant(desk.dispatcher, asked)


async def test_each_refresh_gives_a_new_pair(desk, person, client):
    first = await let_in(desk, person, client)
    before = await authenticate_bearer_token(desk.dispatcher, f"Bearer {first.access_token}", "mcp")
    second = await refresh(desk, first.refresh_token, client)
    third = await refresh(desk, second.refresh_token, client)
    assert len({first, second, third}) == 3
    after = await authenticate_bearer_token(desk.dispatcher, f"Bearer {third.access_token}", "mcp")
    assert before.token_id == after.token_id  # the same grant: the rate limit goes on counting
    assert await is_good(desk, first.access_token)  # calls under way are not cut off


async def test_an_old_one_ends_the_whole_family(desk, person, client):
    first = await let_in(desk, person, client)
    second = await refresh(desk, first.refresh_token, client)
    third = await refresh(desk, second.refresh_token, client)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, first.refresh_token, client)
    for issued in (first, second, third):
        assert not await is_good(desk, issued.access_token)
        with refused(OAuthRefused, "invalid_grant"):
            await refresh(desk, issued.refresh_token, client)


async def test_of_50_at_once_one_gets_it_and_all_lose_it(desk, person, client):
    first = await let_in(desk, person, client)
    given, refusals = await at_once(50, lambda: refresh(desk, first.refresh_token, client))
    assert len(given) == 1
    assert len(refusals) == 49
    assert not await is_good(desk, given[0].access_token)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, given[0].refresh_token, client)


async def test_another_family_is_left_alone(desk, person, client):
    mine, other = await let_in(desk, person, client), await let_in(desk, person, client)
    await refresh(desk, mine.refresh_token, client)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, mine.refresh_token, client)
    assert await is_good(desk, other.access_token)
    assert await refresh(desk, other.refresh_token, client)


async def test_scopes_can_be_narrowed_and_not_widened(desk, person, client):
    issued = await let_in(desk, person, client, "specs.read builds.write")
    with refused(OAuthRefused, "invalid_scope"):
        await refresh(desk, issued.refresh_token, client, "specs.read desk.read")
    narrow = await refresh(desk, issued.refresh_token, client, "specs.read")  # the refusal used nothing up
    assert narrow.scopes == "specs.read"
    actor = await authenticate_bearer_token(desk.dispatcher, f"Bearer {narrow.access_token}", "mcp")
    assert actor.scopes == {"specs.read"}
    assert (await refresh(desk, narrow.refresh_token, client)).scopes == "specs.read builds.write"


async def test_it_is_bound_to_client_and_resource(desk, person, client):
    issued = await let_in(desk, person, client)
    for wrong in ("penling-mcp", await client_of(desk, "Another"), ""):
        with refused(OAuthRefused, "invalid_grant"):
            await refresh(desk, issued.refresh_token, wrong)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued.refresh_token, client, resource="https://elsewhere.example.com/mcp")
    assert await refresh(desk, issued.refresh_token, client)


async def test_it_lasts_thirty_days_without_use_and_stays_dead(desk, person, client):
    issued = await let_in(desk, person, client)
    desk.clock.forward(29 * DAY)
    issued = await refresh(desk, issued.refresh_token, client)
    desk.clock.forward(30 * DAY)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued.refresh_token, client)
    desk.clock.forward(-2 * DAY)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued.refresh_token, client)


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
async def test_giving_back_any_token_ends_the_grant(desk, person, client, which):
    first = await let_in(desk, person, client)
    issued = await refresh(desk, first.refresh_token, client)
    await revoke_by_token(desk.dispatcher, getattr(issued, which), client)
    await revoke_by_token(desk.dispatcher, getattr(issued, which), client)  # again changes nothing
    assert not await is_good(desk, first.access_token)
    assert not await is_good(desk, issued.access_token)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued.refresh_token, client)


async def test_another_client_cannot_give_it_back(desk, person, client):
    issued = await let_in(desk, person, client)
    with refused(OAuthRefused, "invalid_client"):
        await revoke_by_token(desk.dispatcher, issued.access_token, "penling-mcp")
    assert await is_good(desk, issued.access_token)
    await revoke_by_token(desk.dispatcher, issued.access_token, "")  # who holds it may end it
    assert not await is_good(desk, issued.access_token)


async def test_who_is_removed_cannot_refresh(desk, person, client):
    owner = await desk.person("Owner", role=type(person.role).OWNER)
    issued = await let_in(desk, person, client)
    await desk.call(owner, "remove_member", user_pid=person.user_id)
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued.refresh_token, client)


async def test_a_race_of_removal_and_refresh_leaves_nothing(desk, person, client):
    owner = await desk.person("Owner", role=type(person.role).OWNER)
    issued = [await let_in(desk, person, client) for _ in range(8)]
    removal = desk.call(owner, "remove_member", user_pid=person.user_id)
    refreshes = [refresh(desk, each.refresh_token, client) for each in issued]
    outcomes = await asyncio.gather(*refreshes[:4], removal, *refreshes[4:], return_exceptions=True)
    assert all(isinstance(each, (OAuthRefused, dict, tuple)) for each in outcomes)
    live = "SELECT count(*) FROM tokens WHERE workspace_id = :workspace AND grant_id IS NOT NULL AND revoked_at IS NULL"
    assert (await desk.store.read(desk.workspace, lambda tx: tx.one(live)))[0] == 0
    live = "SELECT count(*) FROM oauth_grants WHERE workspace_id = :workspace AND revoked_at IS NULL"
    assert (await desk.store.read(desk.workspace, lambda tx: tx.one(live)))[0] == 0


async def test_the_clock_of_one_second_changes_nothing(desk, person, client):
    issued = await let_in(desk, person, client)
    desk.clock.forward(-10 * SECOND)
    assert await is_good(desk, issued.access_token)
