import pytest

from tests.oidc_server import OidcServer
from tests.transports.oidc.walk import add, at


@pytest.fixture(scope="module")
def running():
    with OidcServer() as server:
        yield server


@pytest.fixture
def provider(running):
    running.person = {"sub": "ada-1", "email": "ada@example.com", "email_verified": True, "name": "Ada L."}
    running.reset()
    yield running
    running.reset()


@pytest.fixture
async def served(provider, tmp_path):
    async with at(provider, tmp_path) as desk:
        await add(desk, "ada@example.com")
        yield desk
