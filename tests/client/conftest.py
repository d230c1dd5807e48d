"""A real server on a real port, with a token for it in the environment."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.main import create_app
from tests.transports.served import on_a_port, serving


@asynccontextmanager
async def running(data: Path) -> AsyncIterator[tuple[str, str]]:
    async with serving(data, requests_per_minute=1_000_000) as served:
        args = {"name": "client", "scopes": sorted(TOKEN_SCOPES)}
        created = await served.service.dispatcher.call(served.owner, "create_token", args)
        async with on_a_port(create_app(served.service)) as url:
            yield url, created.token  # type: ignore[attr-defined]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running(tmp_path / "data")) as (url, token),
    ):
        monkeypatch.setenv("PENDESK_URL", url)
        monkeypatch.setenv("PENDESK_MCP_TOKEN", token)
        yield url
