from collections.abc import AsyncIterator

import pytest

from tests.transports.mcp.wire import ERAS, People, Wire, token_of
from tests.transports.served import Served, serving


@pytest.fixture(scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One server for a file's tests, each of which has a token of its own."""
    async with serving(tmp_path_factory.mktemp("mcp") / "data") as running:
        yield running


@pytest.fixture
async def people(served: Served) -> People:
    return People(served)


@pytest.fixture
async def agent(people: People) -> str:
    """A new agent's account: its user id."""
    user_id: str = (await people.does("create_user", name="Agent", kind="agent"))["userId"]
    return user_id


@pytest.fixture(params=ERAS)
async def wire(request: pytest.FixtureRequest, served: Served, agent: str) -> Wire:
    """A building agent, once in each era."""
    return Wire(served.http, await token_of(served, user_pid=agent), request.param)


@pytest.fixture
async def modern(served: Served, agent: str) -> Wire:
    return Wire(served.http, await token_of(served, user_pid=agent))
