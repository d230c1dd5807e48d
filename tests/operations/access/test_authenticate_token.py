"""A bearer token is looked up on every call: one read, and a write at most once a minute."""

import pytest

from pendesk.domain.errors import Unauthenticated
from pendesk.operations.access import authenticate_token
from pendesk.operations.access.authenticate_token import AuthenticateToken
from tests.desk import MINUTE
from tests.refusals import refused

DAY = 24 * 60 * MINUTE


class CountingStore:
    """The real store, with a note of every way in."""

    def __init__(self, store):
        self.store = store
        self.entered = []

    def __getattr__(self, name):
        if name in ("look_up", "read", "long_read", "heavy_read", "write", "long_write"):
            self.entered.append(name)
        return getattr(self.store, name)


@pytest.fixture
async def secret(desk):
    ada = await desk.person("Ada")
    return (await desk.call(ada, "create_token", name="laptop", expires_in_days=1))["token"]


@pytest.fixture
def entered(desk, monkeypatch):
    counting = CountingStore(desk.store)
    monkeypatch.setattr(desk.dispatcher, "store", counting)
    enter = {kind: getattr(counting.store, kind.value) for kind in desk.dispatcher._enter}

    def noted(kind):
        async def run(*args):
            counting.entered.append(kind.value)
            return await enter[kind](*args)

        return run

    monkeypatch.setattr(desk.dispatcher, "_enter", {kind: noted(kind) for kind in enter})
    return counting.entered


async def authenticate(desk, secret):
    return await desk.dispatcher.call_by_secret(authenticate_token.OPERATION, AuthenticateToken(secret, "mcp"))


async def test_one_look_up_and_its_use_is_written_once_a_minute(desk, secret, entered):
    await authenticate(desk, secret)
    assert entered == ["look_up", "write"]
    entered.clear()
    desk.clock.forward(MINUTE - 1)
    for _ in range(3):
        await authenticate(desk, secret)
    assert entered == ["look_up"] * 3
    entered.clear()
    desk.clock.forward(1)
    await authenticate(desk, secret)
    assert entered == ["look_up", "write"]


async def test_what_cannot_be_a_token_costs_no_read(desk, entered):
    with refused(Unauthenticated):
        await authenticate(desk, "pendesk_mcp_" + "a" * 49)
    assert entered == []


async def test_an_expired_one_is_refused_for_good_also_when_the_clock_is_set_back(desk, secret):
    actor = await authenticate(desk, secret)
    assert actor.via == "mcp"
    desk.clock.forward(DAY)
    for moment in (0, -DAY):
        desk.clock.forward(moment)
        with refused(Unauthenticated):
            await authenticate(desk, secret)
