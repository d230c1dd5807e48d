"""Everything that the workspace is joined to, in one answer."""

import json

import pytest

from pendesk.domain import limits
from pendesk.domain.access import TOKEN_SCOPES, Role, github_actor
from pendesk.domain.errors import MissingScope, RoleForbids
from tests.refusals import refused

URL = "https://hooks.example.com/services/T0/B0/abc"
REPOSITORY = "https://github.com/acme/harbour"


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.ADMIN)


async def delivered(desk, project_id, number):
    told = {"project_id": project_id, "event": "ping", "repository": "acme/harbour"}
    await desk.call(
        github_actor(desk.workspace), "record_delivery", delivery_id=f"d{number}", digest=f"{number:064d}", **told
    )


async def test_each_project_with_its_webhook_and_its_newest_deliveries(desk, ada):
    harbour = await desk.call(ada, "create_project", name="Harbour", key="HRB", repository_url=REPOSITORY)
    await desk.call(ada, "create_project", name="Bare", key="BAR")
    made = await desk.call(ada, "set_github_webhook", project_id="HRB")
    for number in range(limits.DELIVERIES_SHOWN + 2):
        await delivered(desk, harbour["pid"], number)
    told = await desk.call(ada, "get_integrations")
    hooked, bare = told["projects"]
    assert (hooked["key"], hooked["isSet"], hooked["repositoryUrl"]) == ("HRB", True, REPOSITORY)
    assert hooked["deliveries"] == (await desk.call(ada, "get_github_webhook", project_id="HRB"))["deliveries"]
    assert len(hooked["deliveries"]) == limits.DELIVERIES_SHOWN
    assert (bare["key"], bare["isSet"], bare["deliveries"]) == ("BAR", False, [])
    assert made["secret"] not in json.dumps(told)


async def test_a_removed_webhook_is_not_set(desk, ada):
    await desk.call(ada, "create_project", name="Harbour", key="HRB", repository_url=REPOSITORY)
    await desk.call(ada, "set_github_webhook", project_id="HRB")
    await desk.call(ada, "remove_github_webhook", project_id="HRB")
    (told,) = (await desk.call(ada, "get_integrations"))["projects"]
    assert (told["isSet"], told["setAt"]) == (False, None)


async def test_outgoing_webhooks_with_their_deliveries_are_for_admins(desk, ada):
    first, second = [(await desk.call(ada, "create_webhook", url=URL))["webhook"] for _ in range(2)]
    await desk.call(ada, "test_webhook", webhook_id=first["webhookId"])
    told = (await desk.call(ada, "get_integrations"))["outgoing"]
    assert [one["webhook"]["webhookId"] for one in told] == [first["webhookId"], second["webhookId"]]
    listed = await desk.call(ada, "list_webhook_deliveries", webhook_id=first["webhookId"])
    assert [one["deliveries"] for one in told] == [listed["deliveries"], []]
    member = await desk.person("Grace")
    assert (await desk.call(member, "get_integrations"))["outgoing"] == []


async def test_projects_come_in_pages(desk, ada):
    for number in range(limits.PAGE_ROWS + 1):
        await desk.call(ada, "create_project", name=f"P{number}")
    first = await desk.call(ada, "get_integrations")
    rest = await desk.call(ada, "get_integrations", cursor=first["nextCursor"])
    assert (len(first["projects"]), len(rest["projects"]), "nextCursor" in rest) == (limits.PAGE_ROWS, 1, False)


async def test_no_viewer_and_no_token_sees_them(desk, ada):
    with refused(RoleForbids):
        await desk.call(await desk.person("Vera", Role.VIEWER), "get_integrations")
    with refused(MissingScope):
        await desk.call(ada._replace(scopes=TOKEN_SCOPES), "get_integrations")
