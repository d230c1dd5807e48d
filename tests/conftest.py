from collections.abc import Iterator

import pytest

from tests.postgres import PostgresCluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresCluster]:
    with PostgresCluster(fast=True) as cluster:
        yield cluster
