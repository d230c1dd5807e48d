"""The whole application in this process: real store, real routes, no socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.types import ASGIApp

from pendesk.domain.access import Actor
from pendesk.main import create_app, open_service
from pendesk.settings import load
from pendesk.transports.service import Service
from tests.callers import create_first_workspace, find_local_actor

URL = "http://127.0.0.1:3847"


class Served:
    def __init__(self, service: Service, owner: Actor, http: httpx.AsyncClient) -> None:
        self.service = service
        self.owner = owner
        self.http = http

    async def link(self) -> str:
        """A fresh sign-in link of the owner, as a path."""
        url: str = (await self.call("create_sign_in_link")).url
        return url.removeprefix(self.service.installation.public_url)

    async def call(self, operation: str, **arguments: object) -> Any:
        """What the dispatcher gives the owner."""
        return await self.service.dispatcher.call(self.owner, operation, arguments)


@asynccontextmanager
async def serving(data: Path, *, url: str = URL, client: str = "127.0.0.1", **options: object) -> AsyncIterator[Served]:
    settings = load(data_folder=str(data), options=options, environ={})
    async with open_service(settings, url) as service:
        await create_first_workspace(service.dispatcher, workspace="<b>Desk</b>", name="Ada <i>", email=None)
        owner = await find_local_actor(service.dispatcher)
        assert owner is not None
        transport = httpx.ASGITransport(create_app(service), client=(client, 1234))
        async with httpx.AsyncClient(transport=transport, base_url=url) as http:
            yield Served(service, owner, http)


@asynccontextmanager
async def on_a_port(app: ASGIApp) -> AsyncIterator[str]:
    """The address of the application on a real socket of this machine."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None))
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    await server.shutdown()
