"""A project whose repository is a stand-in of GitHub, with an admin, and an agent that works there."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from pendesk.domain.access import Actor, Role
from tests.desk import TestDesk
from tests.github_site import HEAD, TOKEN, GithubSite, github_site, guarded_outbound
from tests.workbench import Work, published_spec


class Harbor:
    def __init__(self, desk: TestDesk, admin: Actor, work: Work, site: GithubSite) -> None:
        self.desk, self.admin, self.work, self.site = desk, admin, work, site

    async def call(self, operation: str, **arguments: Any) -> dict[str, Any]:
        return await self.desk.call(self.admin, operation, **arguments)

    async def set_token(self, token: str = TOKEN) -> dict[str, Any]:
        return await self.call("set_github_token", project_id=self.work.project_id, token=token)

    async def submit(self, number: int = 0, **code: Any) -> str:
        pid: str = self.work.actions[number]["pid"]
        await self.call("claim_action", action_pid=pid)
        values = {"pr_url": self.site.pr_url, "head_sha": HEAD, "summary": "Built it.", **code}
        await self.call("submit_for_review", action_pid=pid, **values)
        return pid

    async def code(self, pid: str) -> dict[str, Any]:
        review = await self.call("get_review", action_id=pid)
        code: dict[str, Any] = review["submission"]["code"]
        return code

    async def change(self, pid: str) -> dict[str, Any] | None:
        change: dict[str, Any] | None = (await self.call("get_change", action_id=pid)).get("change")
        return change


@pytest.fixture
async def harbor(desk: TestDesk) -> AsyncIterator[Harbor]:
    # What other tests left in their workspaces is not due here.
    await desk.store.write("", lambda tx: tx.run("DELETE FROM github_fetches"))
    async with github_site() as site:
        desk.dispatcher.outbound = guarded_outbound()
        admin = await desk.person("Ada", Role.OWNER)
        work = await published_spec(desk, admin)
        await desk.call(admin, "update_project", project_id=work.project_id, repository_url=site.page)
        yield Harbor(desk, admin, work, site)
