from unittest.mock import Mock

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import AlreadyClaimed, NotFound, NotParticipant, RoleForbids, RuleBroken
from pendesk.store import actions
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def claim(desk, actor, action, **more):
    return await desk.call(actor, "claim_action", action_pid=action["pid"], **more)


async def test_a_claim_starts_the_action_and_gives_a_lease(desk, ada):
    work = await published_spec(desk, ada)
    answer = await claim(desk, ada, work.actions[0], agent_model="claude-opus-4-8")
    assert (answer["status"], answer["claimedBy"]) == ("started", ada.user_id)
    assert answer["claim"]["fence"] == 1
    assert answer["claim"]["expiresAt"] == "2027-01-15T08:30:00.000Z"
    assert "get_action_brief" in answer["next_step"]


async def test_a_ref_code_in_any_case_names_the_action_too(desk, ada):
    work = await published_spec(desk, ada)
    answer = await desk.call(ada, "claim_action", action_pid=work.actions[0]["refCode"].lower())
    assert answer["pid"] == work.actions[0]["pid"]


async def test_a_claim_reads_the_action_again_only_where_others_write_at_the_same_time(desk, ada, monkeypatch):
    work = await published_spec(desk, ada)
    read = Mock(wraps=actions.facts)
    monkeypatch.setattr(actions, "facts", read)
    await claim(desk, ada, work.actions[0])
    assert read.call_count == {"sqlite": 1, "postgres": 2}[desk.dispatcher.store.engine]


async def test_another_user_is_told_who_holds_it(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    await claim(desk, ada, work.actions[0])
    with refused(AlreadyClaimed) as caught:
        await claim(desk, grace, work.actions[0])
    details = caught.refusal.details
    assert (details["claimedBy"], details["holder"]) == (ada.user_id, "Ada")
    assert details["instead"] == [work.actions[1]["refCode"]]


async def test_a_retry_by_the_holder_returns_the_same_claim(desk, ada):
    work = await published_spec(desk, ada)
    first = await claim(desk, ada, work.actions[0])
    again = await claim(desk, ada, work.actions[0])
    assert again["claim"] == first["claim"]
    assert "already" in again["next_step"]


async def test_a_fourth_claim_is_refused_until_one_ends(desk, ada):
    work = await published_spec(desk, ada, actions=4)
    for action in work.actions[:3]:
        await claim(desk, ada, action)
    with refused(RuleBroken, "claim_limit"):
        await claim(desk, ada, work.actions[3])
    await desk.call(ada, "release_action", action_pid=work.actions[0]["pid"])
    assert (await claim(desk, ada, work.actions[3]))["status"] == "started"


async def test_an_expired_claim_frees_its_slot(desk, ada):
    work = await published_spec(desk, ada, actions=4)
    for action in work.actions[:3]:
        await claim(desk, ada, action)
    desk.clock.forward(31 * MINUTE)
    assert (await claim(desk, ada, work.actions[3]))["status"] == "started"


async def test_an_expired_action_goes_to_whoever_asks_next_with_a_higher_fence(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    await claim(desk, ada, work.actions[0])
    desk.clock.forward(30 * MINUTE)
    taken = await claim(desk, grace, work.actions[0])
    assert (taken["claimedBy"], taken["claim"]["fence"]) == (grace.user_id, 2)


async def test_an_expired_claim_is_resumed_by_its_holder(desk, ada):
    work = await published_spec(desk, ada)
    first = await claim(desk, ada, work.actions[0])
    desk.clock.forward(45 * MINUTE)
    again = await claim(desk, ada, work.actions[0])
    assert again["claim"]["id"] == first["claim"]["id"]
    assert again["claim"]["expiresAt"] > first["claim"]["expiresAt"]


async def test_no_lease_outlives_the_cap_and_claiming_again_gives_a_new_one(desk, ada):
    work = await published_spec(desk, ada)
    first = await claim(desk, ada, work.actions[0])
    desk.clock.forward(24 * 60 * MINUTE)
    with refused(RuleBroken, "claim_expired"):
        await desk.call(ada, "update_progress", action_pid=work.actions[0]["pid"], status="started", message="Went on.")
    again = await claim(desk, ada, work.actions[0])
    assert again["claim"]["fence"] == first["claim"]["fence"] + 1


async def test_prerequisites_come_first_and_are_named(desk, ada):
    work = await published_spec(desk, ada, actions=2, chain=True)
    with refused(RuleBroken, "prerequisites_open") as caught:
        await claim(desk, ada, work.actions[1])
    assert caught.refusal.details["waitingOn"] == [work.actions[0]["refCode"]]


async def test_only_participants_may_claim(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada)
    with refused(NotParticipant):
        await claim(desk, grace, work.actions[0])


async def test_a_viewer_may_not_claim(desk, ada):
    viewer = await desk.person("Vera", Role.VIEWER)
    work = await published_spec(desk, ada)
    with refused(RoleForbids):
        await claim(desk, viewer, work.actions[0])


async def test_an_unpublished_action_cannot_be_claimed(desk, ada):
    work = await drafted_spec(desk, ada)
    with refused(RuleBroken, "not_published"):
        await claim(desk, ada, work.actions[0])


async def test_a_task_without_a_spec_can_be_claimed_at_once(desk, ada):
    grace = await desk.person("Grace")
    project = await desk.call(ada, "create_project", name="Plain")
    task = await desk.call(ada, "create_action", project_id=project["pid"], label="Just do it")
    assert (await claim(desk, grace, task))["status"] == "started"


async def test_an_idea_in_the_backlog_is_not_there_for_builders(desk, ada):
    project = await desk.call(ada, "create_project", name="Plain")
    task = await desk.call(ada, "create_action", project_id=project["pid"], label="An idea", state="backlog")
    with refused(NotFound):
        await claim(desk, ada, task)


@pytest.mark.parametrize("ident", ["PEN-99999", "nonsense", "0198f3a0-0000-7000-8000-000000000001", "../../etc"])
async def test_what_is_not_there_is_not_found(desk, ada, ident):
    with refused(NotFound):
        await desk.call(ada, "claim_action", action_pid=ident)


async def test_the_claim_is_on_the_log_with_the_agents_model(desk, ada):
    work = await published_spec(desk, ada)
    await claim(desk, ada, work.actions[0], agent_model="claude-opus-4-8")
    (event,) = (await desk.call(ada, "list_events", action_pid=work.actions[0]["pid"], after=0))["events"][-1:]
    assert (event["kind"], event["actorId"], event["agentModel"]) == ("action.claimed", ada.user_id, "claude-opus-4-8")
    assert (event["data"]["before"], event["data"]["after"]) == ("todo", "in_progress")


async def test_whoever_was_removed_while_their_call_was_under_way_takes_no_claim(desk, ada):
    owner = await desk.person("Olga", Role.OWNER)
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    await desk.call(owner, "remove_member", user_pid=grace.user_id)
    with refused(RoleForbids):
        await claim(desk, grace, work.actions[0])
