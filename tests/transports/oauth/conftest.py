import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.postgres import PostgresCluster
from tests.transports.oauth.walk import Walk
from tests.transports.served import serving

_ADDRESSES = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(256), range(256), range(1, 255)))


@pytest.fixture(scope="session")
def oauth_database(postgres: PostgresCluster) -> str:
    return postgres.create_database("oauth_http")


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """One PostgreSQL database for all; a fresh SQLite file for each test."""
    return request.getfixturevalue("oauth_database") if request.param == "postgres" else None


@pytest.fixture
async def walk(database: str | None, tmp_path: Path) -> AsyncIterator[Walk]:
    """A running application, called from an address of its own: what is counted by address starts anew."""
    options = {"database_url": database, "secret_key": "k" * 40}
    async with serving(tmp_path / "data", client=next(_ADDRESSES), **options) as served:  # type: ignore[arg-type]
        yield Walk(served)
