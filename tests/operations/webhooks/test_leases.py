"""Who delivers to a webhook: one server at a time, by a lease that it gives back or that lapses."""

import pytest

from pendesk.domain.access import Role
from pendesk.operations.webhooks import list_due_webhooks, release_all_webhooks, release_webhook, start_delivery
from pendesk.operations.webhooks.start_delivery import StartDelivery


@pytest.fixture
async def due(desk):
    admin = await desk.person("Ada", Role.OWNER)
    webhook = await desk.call(admin, "create_webhook", url="https://example.com/hook", kinds=["project"])
    await desk.call(admin, "create_project", name="Harbor")
    return StartDelivery(desk.workspace, webhook["webhook"]["webhookId"], "first")


async def is_due(desk):
    webhooks = await desk.dispatcher.call_as_server(list_due_webhooks.OPERATION, 10_000)
    return desk.workspace in [webhook.workspace_id for webhook in webhooks]


async def start(desk, due, server):
    return await desk.dispatcher.call_as_server(start_delivery.OPERATION, due._replace(server=server))


@pytest.mark.parametrize("release", [release_webhook, release_all_webhooks])
async def test_a_lease_keeps_others_away_until_it_is_given_back(desk, due, release):
    assert await is_due(desk)
    assert (await start(desk, due, "first")).kind.startswith("project.")
    assert not await is_due(desk)
    assert await start(desk, due, "second") is None
    args = due if release is release_webhook else due.server
    await desk.dispatcher.call_as_server(release.OPERATION, args)
    assert await is_due(desk)
    assert await start(desk, due, "second") is not None
