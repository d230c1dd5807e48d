"""Acceptance criteria after they were written."""

import pytest

from pendesk.domain.errors import NotFound, RevisionConflict, RuleBroken
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def action(desk, ada, project):
    return await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["One", "Two"])


async def passed(desk, actor, action):
    await desk.call(actor, "claim_action", action_pid=action["pid"])
    criterion = action["criteria"][0]["id"]
    await desk.call(
        actor, "report_test_result", action_pid=action["pid"], criterion_id=criterion, outcome="passed", evidence="1/1"
    )
    return criterion


async def test_a_criterion_is_added_at_the_end(desk, ada, action):
    after = await desk.call(ada, "create_criterion", action_id="PEN-1", text="Three", expected_revision=1)
    assert [one["text"] for one in after["criteria"]] == ["One", "Two", "Three"]
    assert after["revision"] == 2


async def test_a_reworded_criterion_keeps_its_status_and_its_evidence_is_stale(desk, ada, action):
    criterion = await passed(desk, ada, action)
    after = await desk.call(ada, "update_criterion", criterion_id=criterion, text="One, really")
    assert (after["criteria"][0]["status"], after["criteria"][0]["revision"]) == ("validated", 2)
    read = await desk.call(ada, "get_action", action_id="PEN-1")
    assert read["criteria"][0]["evidence"]["stale"] == "The criterion was reworded by Ada after this was shown."


async def test_fresh_evidence_is_shown_before_stale(desk, ada, action):
    criterion = await passed(desk, ada, action)
    await desk.call(ada, "update_criterion", criterion_id=criterion, text="One, really")
    await passed(desk, ada, action)
    read = await desk.call(ada, "get_action", action_id="PEN-1")
    assert "stale" not in read["criteria"][0]["evidence"]


async def test_the_same_text_again_changes_nothing(desk, ada, action):
    criterion = await passed(desk, ada, action)
    after = await desk.call(ada, "update_criterion", criterion_id=criterion, text="One")
    assert (after["revision"], after["criteria"][0]["revision"]) == (1, 1)
    assert "stale" not in (await desk.call(ada, "get_action", action_id="PEN-1"))["criteria"][0]["evidence"]
    assert await events_of(desk, ada, "criterion.edited") == []


async def test_criteria_are_put_in_order(desk, ada, action):
    after = await desk.call(ada, "update_criterion", criterion_id=action["criteria"][0]["id"], position=9)
    assert [one["text"] for one in after["criteria"]] == ["Two", "One"]
    read = await desk.call(ada, "get_action", action_id="PEN-1")
    assert [one["text"] for one in read["criteria"]] == ["Two", "One"]


async def test_a_removed_criterion_is_gone_and_the_log_has_its_text(desk, ada, action):
    one = action["criteria"][0]["id"]
    after = await desk.call(ada, "remove_criterion", criterion_id=one)
    assert [each["text"] for each in after["criteria"]] == ["Two"]
    (event,) = await events_of(desk, ada, "criterion.removed")
    assert (event["objectId"], event["data"]["text"]) == (one, "One")
    with refused(NotFound):
        await desk.call(ada, "remove_criterion", criterion_id=one)


async def test_a_removed_criterion_comes_back_where_it_stood_with_what_was_shown_for_it(desk, ada, action):
    one = await passed(desk, ada, action)
    await desk.call(ada, "remove_criterion", criterion_id=one)
    after = await desk.call(ada, "restore_criterion", criterion_id=one)
    assert [(each["text"], each["status"]) for each in after["criteria"]] == [("One", "validated"), ("Two", "pending")]
    read = await desk.call(ada, "get_action", action_id="PEN-1")
    assert read["criteria"][0]["evidence"]["text"] == "1/1"
    again = await desk.call(ada, "restore_criterion", criterion_id=one)  # it is there
    assert again["revision"] == after["revision"]


async def test_a_criterion_does_not_come_back_to_what_is_closed(desk, ada, project):
    action = await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["One"])
    one = action["criteria"][0]["id"]
    await desk.call(ada, "remove_criterion", criterion_id=one)
    await desk.call(ada, "update_action", action_id="PEN-1", state="done")
    with refused(RuleBroken, "action_closed"):
        await desk.call(ada, "restore_criterion", criterion_id=one)


async def test_a_restored_criterion_is_in_the_published_brief_at_once(desk, ada):
    work = await published_spec(desk, ada, actions=1, criteria=2)
    gone, stays = work.actions[0]["criteria"]
    await desk.call(ada, "remove_criterion", criterion_id=gone)
    await desk.call(ada, "restore_criterion", criterion_id=gone)
    brief = await desk.call(ada, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert {one["id"] for one in brief["action"]["acceptanceCriteria"]} == {gone, stays}


async def test_an_edit_of_an_old_revision_of_the_action_is_refused(desk, ada, action):
    await desk.call(ada, "update_action", action_id="PEN-1", label="y")
    for name, more in (("update_criterion", {"text": "z"}), ("remove_criterion", {})):
        with refused(RevisionConflict):
            await desk.call(ada, name, criterion_id=action["criteria"][0]["id"], expected_revision=1, **more)


async def test_nothing_is_added_to_what_is_closed(desk, ada, project):
    await desk.call(ada, "create_action", project_id="PEN", label="x")
    await desk.call(ada, "update_action", action_id="PEN-1", state="done")
    with refused(RuleBroken, "action_closed"):
        await desk.call(ada, "create_criterion", action_id="PEN-1", text="Too late")


async def test_a_removed_criterion_leaves_the_published_brief_at_once(desk, ada):
    work = await published_spec(desk, ada, actions=1, criteria=2)
    gone, stays = work.actions[0]["criteria"]
    await desk.call(ada, "remove_criterion", criterion_id=gone)
    brief = await desk.call(ada, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert [one["id"] for one in brief["action"]["acceptanceCriteria"]] == [stays]
    spec = await desk.call(ada, "get_spec", spec_pid=work.spec_id)
    assert [one["id"] for one in spec["actions"][0]["acceptanceCriteria"]] == [stays]
