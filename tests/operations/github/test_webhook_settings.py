"""Setting a webhook up: who may, and what is shown."""

import pytest

from pendesk.domain.access import ALL_SCOPES, TOKEN_SCOPES, Role, Scope, github_actor
from pendesk.domain.errors import MissingScope, NotFound, RoleForbids, RuleBroken
from tests.events import events_of
from tests.refusals import refused

PAGE = "https://github.com/acme/harbor"


@pytest.fixture
async def project(desk):
    ada = await desk.person("Ada", Role.ADMIN)
    return ada, (await desk.call(ada, "create_project", name="Harbor", repository_url=PAGE))["pid"]


async def test_the_answer_is_all_that_github_asks_for(desk, project):
    ada, pid = project
    made = await desk.call(ada, "set_github_webhook", project_id="HAR")
    assert made["payloadUrl"] == f"{desk.installation.public_url}/webhooks/github/{pid}"
    assert made["contentType"] == "application/json"
    assert len(made["secret"]) == 64
    (event,) = await events_of(desk, ada, "webhook.set")
    assert made["secret"] not in str(event)


async def test_only_an_admin_sets_it_and_no_token_can(desk, project):
    ada, pid = project
    bea = await desk.person("Bea", Role.MEMBER)
    for operation in ("set_github_webhook", "remove_github_webhook"):
        with refused(RoleForbids):
            await desk.call(bea, operation, project_id=pid)
        with refused(MissingScope):
            await desk.call(ada._replace(scopes=TOKEN_SCOPES), operation, project_id=pid)


async def test_a_project_without_a_repository_has_nothing_to_listen_to(desk, project):
    ada, _ = project
    bare = await desk.call(ada, "create_project", name="Bare")
    with refused(RuleBroken, "repository_missing"):
        await desk.call(ada, "set_github_webhook", project_id=bare["pid"])


async def test_it_is_shown_without_its_secret(desk, project):
    ada, pid = project
    assert not (await desk.call(ada, "get_github_webhook", project_id=pid))["isSet"]
    await desk.call(ada, "set_github_webhook", project_id=pid)
    view = await desk.call(ada, "get_github_webhook", project_id=pid)
    assert (view["isSet"], view["setBy"], view["repositoryUrl"], view["deliveries"]) == (True, "Ada", PAGE, [])
    assert "secret" not in view
    await desk.call(ada, "remove_github_webhook", project_id=pid)
    assert not (await desk.call(ada, "get_github_webhook", project_id=pid))["isSet"]
    with refused(NotFound):
        await desk.call(ada, "remove_github_webhook", project_id=pid)


async def test_nobody_but_a_signed_webhook_records_what_github_says(desk, project):
    ada, pid = project
    assert Scope.WEBHOOK not in ALL_SCOPES | TOKEN_SCOPES
    told = {"project_id": pid, "delivery_id": "1", "digest": "0" * 64, "event": "ping", "repository": "acme/harbor"}
    for name in ("record_delivery", "record_push", "record_check", "record_pull_request"):
        with refused(MissingScope):
            await desk.call(ada, name, **told)
    hub = github_actor(desk.workspace)
    with refused(NotFound):
        await desk.call(hub, "record_delivery", **told)
    with refused(MissingScope):
        await desk.call(hub, "get_project", project_id=pid)
    await desk.call(ada, "set_github_webhook", project_id=pid)
    await desk.call(hub, "record_delivery", **told)
    with refused(NotFound):
        await desk.call(github_actor(ada.user_id), "record_delivery", **told)
