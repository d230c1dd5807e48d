import pytest

from tests.operations.oauth.granting import client_of


@pytest.fixture
async def person(desk):
    return await desk.person("Ada")


@pytest.fixture
async def client(desk):
    return await client_of(desk)
