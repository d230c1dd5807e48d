"""A longest life of tokens: for those that are made from then on, and for what OAuth clients are granted."""

import pytest

from pendesk.domain.errors import BadField, OAuthRefused, Unauthenticated
from pendesk.domain.limits import Limits
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.oauth.refresh_grant import RefreshGrant
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import refresh_grant
from tests.desk import SECOND
from tests.events import events_of
from tests.operations.oauth.granting import DAY, client_of, let_in, resource_of
from tests.refusals import refused


def bound(desk, days):
    """The server starts again with another setting."""
    desk.installation = desk.installation._replace(limits=Limits(token_max_days=days))
    desk.dispatcher = Dispatcher(desk.store, OPERATIONS, desk.installation)


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def speaks(desk, secret):
    try:
        return await authenticate_bearer_token(desk.dispatcher, f"Bearer {secret}", "mcp")
    except Unauthenticated:
        return None


async def test_existing_tokens_stay_as_they_were_made(desk, ada):
    tokens = [await desk.call(ada, "create_token", name="x", **life) for life in ({}, {"expires_in_days": 365})]
    bound(desk, 30)
    desk.clock.forward(31 * DAY)
    assert all([await speaks(desk, token["token"]) for token in tokens])
    assert "expiresAt" not in tokens[0]


async def test_a_new_token_lives_no_longer_than_the_setting(desk, ada):
    bound(desk, 30)
    token = await desk.call(ada, "create_token", name="x")
    assert "expiresAt" in token
    with refused(BadField, "bad_field", "30 days at most"):
        await desk.call(ada, "create_token", name="x", expires_in_days=31)
    desk.clock.forward(30 * DAY - SECOND)
    assert await speaks(desk, token["token"])
    desk.clock.forward(SECOND)
    assert await speaks(desk, token["token"]) is None


async def refresh(desk, issued, client):
    asked = RefreshGrant(issued.refresh_token, client, "", resource_of(desk))
    return await refresh_grant(desk.dispatcher, asked)


async def test_a_grant_ends_with_the_longest_life_however_often_it_is_renewed(desk, ada):
    bound(desk, 40)
    client = await client_of(desk)
    issued = await let_in(desk, ada, client)
    for _ in range(3):
        desk.clock.forward(13 * DAY)
        issued = await refresh(desk, issued, client)
    desk.clock.forward(DAY - 60 * SECOND)
    issued = await refresh(desk, issued, client)
    assert issued.expires_in_s == 60
    (grant,) = (await desk.call(ada, "list_grants"))["grants"]
    assert await speaks(desk, issued.access_token)
    desk.clock.forward(60 * SECOND)
    assert await speaks(desk, issued.access_token) is None
    with refused(OAuthRefused, "invalid_grant"):
        await refresh(desk, issued, client)
    assert [event["data"]["reason"] for event in await events_of(desk, ada, "grant.revoked")] == [
        "its longest life was over"
    ]
    assert (await desk.call(ada, "list_grants"))["grants"] == []
    assert grant["expiresAt"]


async def test_a_grant_from_before_the_setting_is_renewed_as_before(desk, ada):
    client = await client_of(desk)
    issued = await let_in(desk, ada, client)
    bound(desk, 1)
    for _ in range(3):
        desk.clock.forward(13 * DAY)
        issued = await refresh(desk, issued, client)
    assert issued.expires_in_s == 3600
    assert await speaks(desk, issued.access_token)
