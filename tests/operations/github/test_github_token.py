"""The token of a project: tried, sealed, never shown, replaced, and removed."""

import json

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound, OtherServerSilent, RoleForbids, RuleBroken
from pendesk.store import github_fetches
from tests.github_site import TOKEN
from tests.refusals import refused


async def stored(harbor):
    store, workspace = harbor.desk.store, harbor.desk.workspace
    return await store.read(workspace, lambda tx: github_fetches.token(tx, harbor.work.project_id))


async def test_it_is_tried_then_sealed_and_never_shown(harbor):
    answer = await harbor.set_token()
    assert answer["repository"].endswith("/acme/harbor")
    assert TOKEN not in (await stored(harbor)).sealed_token
    (project,) = (await harbor.call("get_integrations"))["projects"]
    assert project["token"].keys() == {"setAt", "checkedAt"}
    assert TOKEN not in json.dumps(await harbor.call("list_events", project_id=harbor.work.project_id))


async def test_one_that_github_refuses_is_not_saved(harbor):
    with refused(RuleBroken, "github_refused", "401", "was not saved"):
        await harbor.set_token("ghp_of_somebody_else")
    harbor.site.answers[""] = (500, {}, b"")
    with refused(OtherServerSilent, "github_refused", "500", "was not saved"):
        await harbor.set_token()
    harbor.site.answers[""] = (200, {}, b'{"full_name": "evil/harbor"}')
    with refused(RuleBroken, "repository_changed", "another repository"):
        await harbor.set_token()
    assert await stored(harbor) is None


async def test_what_cannot_be_a_token_is_refused_without_being_repeated(harbor):
    with refused(BadField) as caught:
        await harbor.set_token("two words\r\nX-Evil: 1")
    assert "Evil" not in caught.refusal.message
    assert harbor.site.requests == []


async def test_a_project_without_a_repository_takes_none(harbor):
    project = await harbor.call("create_project", name="Elsewhere")
    with refused(RuleBroken, "repository_missing"):
        await harbor.call("set_github_token", project_id=project["pid"], token=TOKEN)


async def test_only_an_admin_sets_and_removes_it(harbor):
    member = await harbor.desk.person("Bob", Role.MEMBER)
    project = {"project_id": harbor.work.project_id}
    with refused(RoleForbids):
        await harbor.desk.call(member, "set_github_token", token=TOKEN, **project)
    await harbor.set_token()
    with refused(RoleForbids):
        await harbor.desk.call(member, "remove_github_token", **project)
    assert await harbor.call("remove_github_token", **project) == {"removed": True, "projectId": project["project_id"]}
    with refused(NotFound):
        await harbor.call("remove_github_token", **project)


async def test_setting_it_is_in_the_log(harbor):
    await harbor.set_token()
    await harbor.set_token()
    await harbor.call("remove_github_token", project_id=harbor.work.project_id)
    events = (await harbor.call("list_events", project_id=harbor.work.project_id))["events"]
    about = [(event["kind"], event["data"].get("replaced")) for event in events if "github_token" in event["kind"]]
    assert about == [("github_token.set", False), ("github_token.set", True), ("github_token.removed", None)]


async def test_a_webhook_that_is_set_afterwards_is_the_first(harbor):
    await harbor.set_token()
    project = {"project_id": harbor.work.project_id}
    assert not (await harbor.call("get_github_webhook", **project))["isSet"]
    await harbor.call("set_github_webhook", **project)
    events = (await harbor.call("list_events", **project))["events"]
    assert [event["data"] for event in events if event["kind"] == "webhook.set"] == [{"replaced": False}]
