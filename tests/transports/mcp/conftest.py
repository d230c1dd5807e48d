import pytest

from tests.transports.mcp.wire import ERAS, Wire, token_of
from tests.transports.served import Served


@pytest.fixture(params=ERAS)
async def wire(request: pytest.FixtureRequest, served: Served) -> Wire:
    """A building agent, once in each era."""
    return Wire(served.http, await token_of(served), request.param)


@pytest.fixture
async def modern(served: Served) -> Wire:
    return Wire(served.http, await token_of(served))
