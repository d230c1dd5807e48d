import pytest


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def grace(desk):
    return await desk.person("Grace")


@pytest.fixture
async def project(desk, ada):
    return await desk.call(ada, "create_project", name="Pendesk")
