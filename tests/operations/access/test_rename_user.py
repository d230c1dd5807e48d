import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound, RoleForbids, RuleBroken
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import join_next_door, next_door


async def test_a_new_name_is_what_everybody_reads_also_beside_what_was_done_before(desk):
    ada, grace = await desk.person("root", Role.OWNER), await desk.person("Grace")
    await desk.call(ada, "create_project", name="Harbour")
    assert (await desk.call(ada, "rename_user", name="Ada"))["name"] == "Ada"
    assert "Ada" in [one["name"] for one in (await desk.call(grace, "list_members"))["members"]]
    shown = (await desk.call(grace, "get_timeline"))["events"]
    assert {entry["actorName"] for entry in shown if entry["kind"] == "project.created"} == {"Ada"}


async def test_the_log_says_it_once_and_names_nobody(desk):
    ada = await desk.person("root")
    for name in ("Ada", "Ada"):
        await desk.call(ada, "rename_user", name=name)
    (renamed,) = await events_of(desk, ada, "member.renamed")
    assert (renamed["objectId"], renamed["data"]) == (ada.user_id, {})


async def test_an_admin_renames_an_agent_and_nobody_of_their_rank(desk):
    admin, other = await desk.person("Admin", Role.ADMIN), await desk.person("Other", Role.ADMIN)
    agent = await desk.call(admin, "create_user", name="builder-1", kind="agent")
    assert (await desk.call(admin, "rename_user", user_pid=agent["userId"], name="Builder"))["name"] == "Builder"
    member = await desk.person("Member")
    for who, whom in ((admin, other), (member, admin)):
        with refused(RoleForbids):
            await desk.call(who, "rename_user", user_pid=whom.user_id, name="Mallory")


async def test_who_belongs_to_another_workspace_too_is_renamed_by_nobody_else(desk):
    owner, bo = await desk.person("Owner", Role.OWNER), await desk.person("Bo")
    other = await next_door(desk)
    await join_next_door(other, await other.person("Admin there", Role.OWNER), bo)
    with refused(RuleBroken) as caught:
        await desk.call(owner, "rename_user", user_pid=bo.user_id, name="Mallory")
    assert caught.refusal.code == "not_only_here"


async def test_somebody_next_door_is_not_there(desk):
    stranger = await (await next_door(desk)).person("Eve")
    owner = await desk.person("Owner", Role.OWNER)
    with refused(NotFound):
        await desk.call(owner, "rename_user", user_pid=stranger.user_id, name="Mallory")


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 300])
async def test_a_name_is_one_line_with_something_in_it(desk, name):
    with refused(BadField):
        await desk.call(await desk.person("Ada"), "rename_user", name=name)
