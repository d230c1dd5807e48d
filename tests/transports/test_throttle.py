"""Servers at one PostgreSQL share a rate limit in blocks: never more than the limit, and few questions asked."""

import random

import pytest

from pendesk.domain.errors import TooManyRequests
from pendesk.domain.limits import MINUTE_US, REQUEST_BLOCK_US
from pendesk.ids import new_id
from pendesk.store.engine.postgres import PostgresStore
from pendesk.transports.throttle import DatabaseThrottle
from tests.desk import SECOND, HandClock, TestDesk

LIMIT = 60


class Servers:
    """Several throttles with one clock, which is the database's too; `visits` counts what they ask of it."""

    def __init__(self, desk, count):
        self.desk, self.key, self.visits = desk, new_id(), 0
        self.all = [DatabaseThrottle(desk.dispatcher, LIMIT, "requests", desk.clock) for _ in range(count)]
        ask = desk.dispatcher.call_as_server

        async def counted(*args):
            self.visits += 1
            return await ask(*args)

        desk.dispatcher.call_as_server = counted

    async def let_through(self, server=0):
        try:
            await self.all[server].count_request_or_refuse(self.key)
        except TooManyRequests as refusal:
            self.retry_after = refusal.details["retryAfter"]
            return False
        return True


@pytest.fixture
async def desk(postgres_url):
    clock = HandClock()
    desk = TestDesk(PostgresStore(postgres_url, clock, connections=4), clock)
    yield desk
    await desk.store.close()


async def test_of_one_server_exactly_the_limit_is_let_through_and_a_minute_later_again(desk):
    servers = Servers(desk, 1)
    assert [await servers.let_through() for _ in range(LIMIT + 3)] == [True] * LIMIT + [False] * 3
    assert servers.retry_after == 60
    assert servers.visits <= LIMIT // 2 + 3
    desk.clock.forward(MINUTE_US)
    assert await servers.let_through()


async def test_who_calls_as_often_as_allowed_is_never_refused(desk):
    servers = Servers(desk, 1)
    for _ in range(5 * LIMIT):
        assert await servers.let_through()
        desk.clock.forward(SECOND)


async def test_who_calls_twenty_times_a_minute_costs_few_questions(desk):
    servers = Servers(desk, 1)
    for _ in range(100):
        assert await servers.let_through()
        desk.clock.forward(3 * SECOND)
    assert servers.visits <= 45


@pytest.mark.parametrize("seed", range(4))
async def test_in_no_minute_all_servers_together_let_more_through(desk, seed):
    chance = random.Random(seed)
    servers = Servers(desk, 3)
    times = []
    for _ in range(600):
        if await servers.let_through(chance.randrange(3)):
            times.append(desk.clock())
        desk.clock.forward(int(chance.expovariate(1 / (0.6 * SECOND))))
    most = max(sum(1 for time in times if end - MINUTE_US < time <= end) for end in times)
    assert most <= LIMIT
    assert most >= LIMIT - 12  # and not much less: what one has taken and not used is little


async def test_what_a_silent_caller_left_unused_is_given_back(desk):
    servers = Servers(desk, 2)
    for _ in range(20):
        await servers.let_through(0)
    desk.clock.forward(REQUEST_BLOCK_US)
    await servers.all[0].count_request_or_refuse("another key")
    for task in list(servers.all[0]._giving_back):
        await task
    assert [await servers.let_through(1) for _ in range(LIMIT - 20)] == [True] * (LIMIT - 20)
    assert not await servers.let_through(1)
