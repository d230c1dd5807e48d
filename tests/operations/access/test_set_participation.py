"""Who takes part in specs: whoever is invited, or everyone."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.errors import Forbidden, NotParticipant, Refusal
from tests.workbench import published_spec


@pytest.fixture
async def owner(desk):
    return await desk.person("Olga", Role.OWNER)


async def test_a_new_member_sees_published_work_once_everyone_takes_part(desk, owner):
    work = await published_spec(desk, owner)
    newcomer = (await desk.person("Nils", scopes=BUILDING_SCOPES))._replace(via="mcp")
    before = await desk.call(newcomer, "list_available_specs")
    assert before["specs"] == []
    assert "not a participant of 1 spec" in before["notice"]
    with pytest.raises(Refusal):
        await desk.call(newcomer, "claim_action", action_pid=work.actions[0]["refCode"])

    answer = await desk.call(owner, "set_participation", participation="everyone")
    assert answer == {"workspaceId": desk.workspace, "name": "Test workspace", "participation": "everyone"}
    specs = (await desk.call(newcomer, "list_available_specs"))["specs"]
    assert [row["availability"] for row in specs[0]["actions"]] == ["free"] * len(work.actions)
    assert (await desk.call(newcomer, "get_spec", spec_pid=work.spec_id))["pid"] == work.spec_id
    assert (await desk.call(newcomer, "claim_action", action_pid=work.actions[0]["refCode"]))[
        "refCode"
    ] == work.actions[0]["refCode"]

    await desk.call(owner, "set_participation", participation="invitation")
    held = await desk.call(newcomer, "get_action_brief", action_pid=work.actions[0]["refCode"])
    assert held["availability"] == "mine"
    with pytest.raises(Refusal):
        await desk.call(newcomer, "claim_action", action_pid=work.actions[1]["refCode"])


async def test_a_viewer_takes_no_part_and_the_removed_neither(desk, owner):
    work = await published_spec(desk, owner)
    await desk.call(owner, "set_participation", participation="everyone")
    viewer = await desk.person("Vera", Role.VIEWER)
    assert (await desk.call(viewer, "list_available_specs"))["specs"] == []
    with pytest.raises(Forbidden):
        await desk.call(viewer, "claim_action", action_pid=work.actions[0]["refCode"])
    member = await desk.person("Mia")
    await desk.call(owner, "remove_member", user_pid=member.user_id)
    assert (await desk.call(member, "list_available_specs"))["specs"] == []
    with pytest.raises(Forbidden):
        await desk.call(member, "claim_action", action_pid=work.actions[0]["refCode"])


async def test_who_was_invited_stays_so_when_the_setting_changes(desk, owner):
    work = await published_spec(desk, owner)
    await desk.call(owner, "set_participation", participation="everyone")
    other = await desk.person("Otto")
    draft = await desk.call(owner, "get_spec_draft", spec_id=work.spec_id)
    assert draft["everyoneTakesPart"]
    assert [person["name"] for person in draft["participants"]] == ["Olga"]
    await desk.call(owner, "add_participant", spec_id=work.spec_id, user_id=other.user_id)
    await desk.call(owner, "set_participation", participation="invitation")
    assert (await desk.call(other, "claim_action", action_pid=work.actions[0]["refCode"]))["refCode"] == work.actions[
        0
    ]["refCode"]
    third = await desk.person("Tove")
    with pytest.raises(NotParticipant):
        await desk.call(third, "claim_action", action_pid=work.actions[1]["refCode"])


async def test_only_admins_change_it_and_the_log_says_who_did(desk, owner):
    member = await desk.person("Mia")
    with pytest.raises(Forbidden):
        await desk.call(member, "set_participation", participation="everyone")
    for _ in range(2):
        await desk.call(owner, "set_participation", participation="everyone")
    events = (await desk.call(owner, "get_timeline"))["events"]
    changes = [event["data"] for event in events if event["kind"] == "workspace.participation_changed"]
    assert changes == [{"before": "invitation", "after": "everyone"}]
    assert (await desk.call(member, "get_workspace"))["participation"] == "everyone"


async def test_a_preview_does_not_ask_for_participants_where_everyone_takes_part(desk, owner):
    work = await published_spec(desk, owner)
    await desk.call(owner, "remove_participant", spec_id=work.spec_id, user_id=owner.user_id)

    async def codes() -> set[str]:
        preview = await desk.call(owner, "preview_build", spec_id=work.spec_id)
        return {remark["code"] for remark in preview["remarks"]}

    assert "no_participant" in await codes()
    await desk.call(owner, "set_participation", participation="everyone")
    assert await codes() & {"no_participant", "one_participant"} == set()
