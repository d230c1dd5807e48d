from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.transports.served import Served, serving


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path / "data") as running:
        yield running
