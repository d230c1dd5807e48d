"""What an expired lease may do, and what it may not: each of these was once possible."""

import pytest

from pendesk.domain.errors import ClaimLost, HeldByAnother, RuleBroken
from pendesk.ids import new_id
from pendesk.store import claims, events
from tests.desk import MINUTE
from tests.workbench import published_spec


@pytest.fixture
async def scene(desk):
    """One user with an expired claim on the first of five actions and three live claims on the next ones."""
    author = await desk.person("Author")
    ada, bob = await desk.person("Ada"), await desk.person("Bob")
    work = await published_spec(desk, author, actions=5, participants=(ada, bob))
    pids = [action["pid"] for action in work.actions]
    await desk.call(ada, "claim_action", action_pid=pids[0])
    question = await desk.call(ada, "request_clarification", action_pid=pids[0], question="Which colour?")
    desk.clock.forward(31 * MINUTE)
    for pid in pids[1:4]:
        await desk.call(ada, "claim_action", action_pid=pid)
    return author, ada, bob, pids, question["pid"]


async def live_claims(desk, actor):
    return await desk.store.read(desk.workspace, lambda tx: claims.count_live_leases_of_user(tx, actor.user_id))


async def test_reading_the_brief_of_an_expired_claim_does_not_make_a_fourth_live_claim(desk, scene):
    _, ada, _, pids, _ = scene
    brief = await desk.call(ada, "get_action_brief", action_pid=pids[0])
    assert "claim" not in brief
    assert await live_claims(desk, ada) == 3


async def test_relaying_an_answer_on_an_expired_claim_does_not_make_a_fourth_live_claim(desk, scene):
    _, ada, _, _, question = scene
    await desk.call(ada, "answer_clarification", clarification_pid=question, answer="Blue.")
    assert await live_claims(desk, ada) == 3


async def test_reading_the_brief_takes_an_expired_claim_up_again_where_a_slot_is_free(desk, scene):
    _, ada, _, pids, _ = scene
    await desk.call(ada, "release_action", action_pid=pids[1])
    brief = await desk.call(ada, "get_action_brief", action_pid=pids[0])
    assert brief["claim"]["fence"] == 1
    assert await live_claims(desk, ada) == 3
    log = await desk.call(ada, "list_events", action_pid=pids[0])
    assert log["events"][-1]["kind"] == "action.resumed"


async def test_who_never_held_an_action_cannot_put_a_late_report_on_its_timeline_by_making_up_a_claim(desk, scene):
    _, _, bob, pids, _ = scene
    with pytest.raises(HeldByAnother):
        await desk.call(
            bob, "update_progress", action_pid=pids[1], status="started", message="Hello", claim_id=new_id()
        )
    with pytest.raises(RuleBroken) as refused:
        await desk.call(
            bob, "update_progress", action_pid=pids[4], status="started", message="Hello", claim_id=new_id()
        )
    assert refused.value.code == "not_claimed"
    log = await desk.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 100))
    assert "report.late" not in [event.kind for event in log]


async def test_after_a_review_an_old_claim_of_the_submitter_is_still_an_old_claim(desk, scene):
    author, ada, _, pids, _ = scene
    old = await desk.call(ada, "claim_action", action_pid=pids[1])
    await desk.call(ada, "release_action", action_pid=pids[1])
    await desk.call(ada, "claim_action", action_pid=pids[1])
    handed = {"action_pid": pids[1], "pr_url": "https://example.com/pr/1", "summary": "Done."}
    await desk.call(ada, "submit_for_review", **handed)
    await desk.call(author, "review_action", action_pid=pids[1], verdict="changes_requested", summary="Not yet.")
    named = {"claim_id": old["claim"]["id"]}
    with pytest.raises(ClaimLost):
        await desk.call(ada, "report_commit", action_pid=pids[1], sha="a" * 40, message="Fix", **named)
    with pytest.raises(ClaimLost):
        await desk.call(ada, "resubmit_for_review", **handed, **named)
    await desk.call(ada, "resubmit_for_review", **handed)
