import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.agents import CLIENTS, PROGRAMS
from tests.clients.running import RunningServer, running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running(tmp_path / "data", outgoing_private_addresses="on") as started:
        yield started


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def pendesk_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the commands that `pendesk connect` writes into a client's settings."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(PROGRAMS), os.environ["PATH"]]))
