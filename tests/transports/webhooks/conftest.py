"""A project with a webhook, and GitHub calling over the whole application on each engine."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pendesk.domain.access import Actor, Role
from pendesk.feed.feed import Feed
from pendesk.main import create_app
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.settings import load
from pendesk.store.files import Files
from pendesk.transports.metrics import Metrics
from pendesk.transports.service import Service
from tests import github_payloads
from tests.desk import TestDesk
from tests.folding import check_fold
from tests.workbench import Work, published_spec


class Hub:
    """GitHub, as far as this server is concerned."""

    def __init__(self, desk: TestDesk, http: httpx.AsyncClient, owner: Actor, work: Work) -> None:
        self.desk = desk
        self.http = http
        self.owner = owner
        self.work = work
        self.secret = ""

    @property
    def path(self) -> str:
        return f"/webhooks/github/{self.work.project_id}"

    async def set_up(self) -> str:
        made = await self.desk.call(self.owner, "set_github_webhook", project_id=self.work.project_id)
        self.secret = made["secret"]
        return self.secret

    async def send(
        self, event: str, payload: Any, *, delivery: str | None = None, path: str | None = None, **headers: str
    ) -> httpx.Response:
        body, told = github_payloads.signed(self.secret, event, payload, delivery)
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.post(path or self.path, content=body, headers=told)

    async def action(self, number: int = 0) -> dict[str, Any]:
        return await self.desk.call(self.owner, "get_action", action_id=self.work.actions[number]["pid"])

    async def log(self, kind: str) -> list[dict[str, Any]]:
        found = await self.desk.call(self.owner, "list_events", project_id=self.work.project_id)
        return [event for event in found["events"] if event["kind"] == kind]


@pytest.fixture
async def hub(desk: TestDesk, tmp_path: Path) -> AsyncIterator[Hub]:
    settings = load(data_folder=str(tmp_path), options={}, environ={})
    feed, files = Feed(desk.store), Files(tmp_path / "files")
    service = Service(settings, desk.installation, desk.dispatcher, files, Metrics(), feed, StepBuffer(has_peers=True))
    transport = httpx.ASGITransport(create_app(service), client=("127.0.0.1", 1234))
    async with httpx.AsyncClient(transport=transport, base_url=desk.installation.public_url) as http:
        owner = await desk.person("Ada", Role.OWNER)
        work = await published_spec(desk, owner)
        await desk.call(
            owner, "update_project", project_id=work.project_id, repository_url="https://github.com/Acme/harbor.git"
        )
        found = Hub(desk, http, owner, work)
        await found.set_up()
        yield found
        await check_fold(desk)
