"""What happened to a project before it was imported, read like the log and told apart from it."""

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField
from tests.exchange import exported, import_file
from tests.refusals import refused
from tests.workbench import published_spec


async def test_what_a_project_brought_along_is_told_apart_from_the_log(desk, elsewhere):
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    await desk.call(grace, "claim_action", action_pid=work.actions[0]["pid"], agent_model="Opus 5")
    result = await exported(desk, ada, work.project_id)
    before = (await desk.call(ada, "get_timeline", project_id=work.project_id, limit=100))["events"]
    eve = await elsewhere.person("Eve", Role.OWNER)
    await import_file(elsewhere, eve, result)
    here = (await elsewhere.call(eve, "get_timeline", project_id=work.project_id))["events"]
    assert [(row["kind"], "imported" in row) for row in here] == [
        ("state.recorded", False),
        ("project.imported", False),
    ]
    values = {"project_id": work.project_id, "imported": True}
    history = (await elsewhere.call(eve, "get_timeline", limit=100, **values))["events"]
    assert [row["deed"] for row in history] == [row["deed"] for row in before]
    assert all(row["imported"] for row in history)
    page = await elsewhere.call(eve, "get_timeline", limit=3, **values)
    read = page["events"]
    while "nextCursor" in page:
        page = await elsewhere.call(eve, "get_timeline", limit=3, cursor=page["nextCursor"], **values)
        read += page["events"]
    assert read == history
    claimed = await elsewhere.call(eve, "get_timeline", kind=["action.claimed"], **values)
    assert [row["actorName"] for row in claimed["events"]] == ["Grace"]
    of_action = await elsewhere.call(eve, "get_timeline", action_pid=work.actions[0]["pid"], imported=True)
    assert {row["refCode"] for row in of_action["events"]} == {work.actions[0]["refCode"]}
    with refused(BadField) as caught:
        await elsewhere.call(eve, "get_timeline", imported=True)
    assert caught.refusal.details["field"] == "imported"


async def test_a_private_event_in_a_file_is_shown_to_admins_and_to_who_caused_it(desk, elsewhere):
    """No export has one; a file from elsewhere may say anything."""
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    await desk.call(grace, "claim_action", action_pid=work.actions[0]["pid"], agent_model="Opus 5")
    content = await exported(desk, ada, work.project_id)
    assert content.count(b'"action.claimed"') == 1
    owner, member = await elsewhere.person("Eve", Role.OWNER), await elsewhere.person("Mallory")
    await import_file(elsewhere, owner, content.replace(b'"action.claimed"', b'"token.created"'))
    for viewer, count in ((owner, 1), (member, 0)):
        listed = await elsewhere.call(viewer, "list_imported_events", project_id=work.project_id)
        timeline = await elsewhere.call(viewer, "get_timeline", project_id=work.project_id, imported=True, limit=100)
        for page in (listed, timeline):
            assert [row["kind"] for row in page["events"]].count("token.created") == count
