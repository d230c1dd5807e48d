"""What waits for a dropped action goes on when a person says so, and not before."""

import pytest

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.domain.errors import MissingScope, NotFound, RuleBroken
from tests.folding import check_fold
from tests.refusals import refused
from tests.workbench import published_spec

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
