import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from pendesk.domain.access import TOKEN_SCOPES, Actor, Role
from pendesk.domain.limits import Limits
from pendesk.feed.feed import Feed
from pendesk.main import create_app
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.settings import load
from pendesk.store.files import Files
from pendesk.transports.live.endpoint import EventsEndpoint
from pendesk.transports.live.streams import Streams
from pendesk.transports.metrics import Metrics
from pendesk.transports.server import Server
from pendesk.transports.service import Service
from tests.callers import start_session
from tests.desk import TestDesk
from tests.patience import PATIENCE_S
from tests.transports.live.follower import Follower, following
from tests.workbench import Work, published_spec


class Live:
    """A desk served on a real port in this process; its one owner, a token and a session of theirs, and some work."""

    def __init__(self, desk: TestDesk, port: int, streams: Streams, service: Service) -> None:
        self.desk = desk
        self.url = f"http://127.0.0.1:{port}"
        self.streams = streams
        self.service = service
        self.feed = service.feed

    async def furnish(self) -> "Live":
        self.owner = await self.desk.person("Ada", Role.OWNER)
        self.work: Work = await published_spec(self.desk, self.owner)
        self.token = await self.token_of(self.owner)
        self.session = await self.session_of(self.owner)
        return self

    async def token_of(self, person: Actor, **asked: Any) -> str:
        made = await self.desk.call(person, "create_token", name="x", **{"scopes": sorted(TOKEN_SCOPES), **asked})
        secret: str = made["token"]
        return secret

    async def session_of(self, person: Actor) -> str:
        made = await self.desk.call(person, "create_sign_in_link")
        secret = await start_session(self.desk.dispatcher, made["url"].partition("code=")[2])
        assert secret is not None
        return secret

    def follow(self, token: str | None = None, *, after: int | None = None, **query: Any) -> Any:
        """By a token, or else as the owner, signed in, who sees the whole log."""
        headers = {"authorization": f"Bearer {token}"} if token else {"cookie": f"pendesk_session={self.session}"}
        found: AbstractAsyncContextManager[Follower] = following(
            self.url, headers, **query, **({} if after is None else {"after": after})
        )
        return found

    async def note(self, title: str = "A note") -> dict[str, Any]:
        """Something happens."""
        return await self.desk.call(self.owner, "create_note", project_id=self.work.project_id, title=title)

    async def log(self, after: int = 0, **asked: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while True:
            page = await self.desk.call(self.owner, "list_events", after=after, **asked)
            found += page["events"]
            if "nextCursor" not in page:
                return found
            after = page["nextCursor"]

    async def get(self, headers: dict[str, str] | None = None, method: str = "GET", **query: Any) -> httpx.Response:
        async with httpx.AsyncClient(verify=False) as http:
            return await http.request(method, f"{self.url}/api/v1/events", headers=headers, params=query)

    async def closed(self, count: int = 0) -> None:
        """Wait until so many streams are left."""
        async with asyncio.timeout(PATIENCE_S):
            while self.streams.count_open() > count:
                await asyncio.sleep(0.01)


@pytest.fixture
async def live(desk: TestDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Live]:
    settings = load(data_folder=str(tmp_path), options={}, environ={})
    desk.installation = desk.installation._replace(limits=Limits(requests_per_minute=1_000_000))
    feed = Feed(desk.store)
    service = Service(
        settings,
        desk.installation,
        desk.dispatcher,
        Files(tmp_path / "files"),
        Metrics(),
        feed,
        StepBuffer(has_peers=True),
    )
    made: list[Streams] = []
    begin = EventsEndpoint.__init__

    def noted(self: EventsEndpoint, *args: Any) -> None:
        begin(self, *args)
        made.append(self.streams)

    monkeypatch.setattr(EventsEndpoint, "__init__", noted)
    listener = socket.create_server(("127.0.0.1", 0))
    ready = asyncio.Event()
    server = Server(create_app(service), ready.set, feed.signal.close_and_wake_subscribers)
    made[0].check_s = 0.05
    running = asyncio.create_task(server.serve([listener]))
    await ready.wait()
    yield await Live(desk, listener.getsockname()[1], made[0], service).furnish()
    server.should_exit = True
    with suppress(asyncio.CancelledError):
        await running
    listener.close()
