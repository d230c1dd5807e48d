"""What waits for a dropped action goes on when a person says so, and not before."""

import pytest

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.domain.errors import MissingScope, NotFound, RuleBroken
from tests.folding import check_fold
from tests.refusals import refused
from tests.workbench import published_spec

NOTE = "a person decides whether it goes on"
DROP = {"status": "wont-do", "message": "The form does it already."}


@pytest.fixture
async def dropped(desk, ada):
    """PEN-2 waits for PEN-1, which its agent has dropped."""
    work = await published_spec(desk, ada, chain=True)
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "update_progress", action_pid="PEN-1", **DROP)
    return work


async def test_what_waits_is_held_back_until_a_person_decides(desk, ada, dropped):
    with refused(RuleBroken, "prerequisites_open") as caught:
        await desk.call(ada, "claim_action", action_pid="PEN-2")
    assert caught.refusal.details["waitingOn"] == ["PEN-1"]
    assert (await desk.call(ada, "get_next_task", project_id="PEN"))["reason"] == "all_blocked"
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    assert (await desk.call(ada, "get_next_task", project_id="PEN"))["task"]["refCode"] == "PEN-2"
    assert (await desk.call(ada, "claim_action", action_pid="PEN-2"))["status"] == "started"
    await check_fold(desk)


async def test_reopening_it_holds_back_again_and_dropping_it_again_asks_again(desk, ada, dropped):
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    await desk.call(ada, "update_action", action_id="PEN-1", state="todo")
    with refused(RuleBroken):
        await desk.call(ada, "claim_action", action_pid="PEN-2")
    await desk.call(ada, "update_action", action_id="PEN-1", state="wont_do", reason="No.")
    with refused(RuleBroken):
        await desk.call(ada, "claim_action", action_pid="PEN-2")
    await check_fold(desk)


async def test_the_log_says_who_released_what(desk, ada, dropped):
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    event = (await desk.call(ada, "get_timeline", action_pid="PEN-1"))["events"][0]
    assert (event["kind"], event["actorName"]) == ("action.dependents_released", "Ada")
    assert event["deed"] == "released what waits for PEN-1"


async def test_it_is_decided_once_and_only_about_what_is_dropped(desk, ada, dropped):
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    with refused(RuleBroken, "already_released"):
        await desk.call(ada, "release_dependents", action_id="PEN-1")
    with refused(RuleBroken, "not_dropped"):
        await desk.call(ada, "release_dependents", action_id="PEN-2")
    with refused(NotFound):
        await desk.call(ada, "release_dependents", action_id="PEN-9")


async def test_no_token_decides(desk, ada, dropped):
    with refused(MissingScope):
        await desk.call(ada._replace(scopes=TOKEN_SCOPES), "release_dependents", action_id="PEN-1")


async def test_whoever_drops_what_others_wait_for_is_told_that_a_person_decides(desk, ada):
    await published_spec(desk, ada, actions=3, chain=True)
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    result = await desk.call(ada, "update_progress", action_pid="PEN-1", **DROP)
    assert result["next_step"] == "PEN-2 waits for it. A person decides in the inbox: release it, or reopen this one."
    task = await desk.call(ada, "update_task", task_id="PEN-2", status="wont_do", reason="No.")
    assert task["next_step"] == "PEN-3 waits for it. A person decides in the inbox: release it, or reopen this one."
    task = await desk.call(ada, "update_task", task_id="PEN-3", status="wont_do", reason="No.")
    assert "next_step" not in task


async def test_what_waits_says_that_it_waits_for_a_decision(desk, ada, dropped):
    with refused(RuleBroken, "prerequisites_open") as caught:
        await desk.call(ada, "claim_action", action_pid="PEN-2")
    assert caught.refusal.message == (
        "PEN-2 waits for: PEN-1 (won't do: a person decides whether it goes on). "
        "You can claim nothing else now; list_available_specs shows why."
    )
    (blocked,) = (await desk.call(ada, "get_next_task", project_id="PEN"))["blocked"]
    assert (blocked["waiting_on"], blocked["note"]) == (["PEN-1"], NOTE)
    assert await prerequisite_of(desk, ada) == ("PEN-1", False, NOTE)
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    assert await prerequisite_of(desk, ada) == ("PEN-1", True, None)


async def prerequisite_of(desk, ada):
    (first,) = (await desk.call(ada, "get_action", action_id="PEN-2"))["prerequisites"]
    return first["refCode"], first["resolved"], first.get("note")


async def test_an_action_names_those_that_come_after_it_and_are_open(desk, ada, dropped):
    action = await desk.call(ada, "get_action", action_id="PEN-1")
    assert ([row["refCode"] for row in action["dependents"]], action["dropAcceptedAt"]) == (["PEN-2"], None)
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    await desk.call(ada, "update_action", action_id="PEN-2", state="wont_do", reason="No.")
    action = await desk.call(ada, "get_action", action_id="PEN-1")
    assert (action["dependents"], action["dropAcceptedAt"] is not None) == ([], True)


async def test_a_person_who_drops_it_may_decide_at_once(desk, ada):
    await published_spec(desk, ada, chain=True)
    await desk.call(
        ada, "update_action", action_id="PEN-1", state="wont_do", reason="Not needed.", release_dependents=True
    )
    assert (await desk.call(ada, "claim_action", action_pid="PEN-2"))["status"] == "started"
    kinds = [event["kind"] for event in (await desk.call(ada, "get_timeline", action_pid="PEN-1"))["events"]]
    assert kinds[:2] == ["action.dependents_released", "action.moved"]
    await check_fold(desk)


async def test_no_token_decides_by_dropping_it_and_nothing_is_dropped_by_trying(desk, ada):
    await published_spec(desk, ada, chain=True)
    drop = {"action_id": "PEN-1", "state": "wont_do", "reason": "No.", "release_dependents": True}
    with refused(RuleBroken, "person_decides"):
        await desk.call(ada._replace(scopes=TOKEN_SCOPES), "update_action", **drop)
    assert (await desk.call(ada, "get_action", action_id="PEN-1"))["state"] == "todo"


async def test_only_with_what_is_dropped_anything_is_released(desk, ada):
    await published_spec(desk, ada, chain=True)
    with refused(RuleBroken, "not_dropped"):
        await desk.call(ada, "update_action", action_id="PEN-1", release_dependents=True)


async def test_the_log_says_what_waited_when_it_was_dropped(desk, ada, dropped):
    event = (await desk.call(ada, "get_timeline", action_pid="PEN-1"))["events"][0]
    assert event["deed"] == "dropped PEN-1; waiting for it: PEN-2"


async def test_the_next_build_is_not_stuck_behind_what_a_person_has_decided_about(desk, ada, dropped):
    remarks = (await desk.call(ada, "preview_build", spec_id=dropped.spec_id))["remarks"]
    assert [remark["code"] for remark in remarks if remark["code"] == "stuck"] == ["stuck"]
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    remarks = (await desk.call(ada, "preview_build", spec_id=dropped.spec_id))["remarks"]
    assert "stuck" not in [remark["code"] for remark in remarks]
