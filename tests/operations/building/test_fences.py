"""A former holder writes: refused, told who holds the action now, and nothing of what it sent is lost."""

import pytest

from pendesk.domain.errors import LATE_REPORT_SAVED, ClaimLost, HeldByAnother, Refusal, RuleBroken
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "a" * 40
PR = "https://example.com/pr/1"

REPORTS = [
    ("update_progress", {"status": "started", "message": "Went on."}, "action.progressed"),
    ("report_commit", {"sha": SHA, "message": "Late"}, "commit.reported"),
    ("request_clarification", {"question": "Which one?"}, "clarification.asked"),
    ("submit_for_review", {"pr_url": PR, "summary": "Done."}, "action.submitted"),
]
RESUBMITTED = ("resubmit_for_review", {"pr_url": PR, "summary": "Done."}, "action.resubmitted")


@pytest.fixture
async def taken_over(desk):
    """Ada's lease ran out and Grace took the action."""
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    action = work.actions[0]
    mine = await desk.call(ada, "claim_action", action_pid=action["pid"])
    desk.clock.forward(31 * MINUTE)
    theirs = await desk.call(grace, "claim_action", action_pid=action["pid"])
    return ada, grace, action, mine["claim"], theirs["claim"]


async def last_event(desk, actor, action):
    events = await desk.call(actor, "list_events", action_pid=action["pid"])
    return events["events"][-1]


@pytest.mark.parametrize("names_claim", [True, False])
@pytest.mark.parametrize(("operation", "sent", "kind"), REPORTS)
async def test_a_late_report_is_refused_and_kept(desk, taken_over, operation, sent, kind, names_claim):
    ada, _, action, mine, _ = taken_over
    with refused(ClaimLost) as caught:
        extra = {"claim_id": mine["id"]} if names_claim else {}
        await desk.call(ada, operation, action_pid=action["pid"], **sent, **extra)
    assert caught.refusal.details["holder"] == "Grace"
    event = await last_event(desk, ada, action)
    assert (event["kind"], event["data"]["report"], event["actorId"]) == ("report.late", kind, ada.user_id)


@pytest.fixture(params=["released", "released by a person", "dropped", "reviewed"])
async def ended(desk, request):
    """Ada held the action, and nobody does any more."""
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    action = work.actions[0]
    pid = action["pid"]
    await desk.call(ada, "claim_action", action_pid=pid)
    if request.param == "released":
        await desk.call(ada, "release_action", action_pid=pid)
    elif request.param == "dropped":
        await desk.call(ada, "update_progress", action_pid=pid, status="wont-do", message="Not needed.")
    else:
        await desk.call(grace, "release_claim", action_pid=pid, reason="Ada is away.")
    if request.param == "reviewed":  # and Grace submitted it, of whom changes were requested
        await desk.call(grace, "claim_action", action_pid=pid)
        await desk.call(grace, "submit_for_review", action_pid=pid, pr_url=PR, summary="Done.")
        item = {"text": "Name it."}
        await desk.call(
            ada, "review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.", items=[item]
        )
    return ada, action


@pytest.mark.parametrize(("operation", "sent", "kind"), [*REPORTS, RESUBMITTED])
async def test_what_a_former_holder_sends_is_kept_although_nobody_holds_the_action(desk, ended, operation, sent, kind):
    ada, action = ended
    with refused(Refusal, None, LATE_REPORT_SAVED):
        await desk.call(ada, operation, action_pid=action["pid"], **sent)
    event = await last_event(desk, ada, action)
    assert (event["kind"], event["data"]["report"], event["actorId"]) == ("report.late", kind, ada.user_id)


@pytest.mark.parametrize(("operation", "sent", "kind"), REPORTS)
async def test_what_the_submitter_sends_during_the_review_is_kept_too(desk, operation, sent, kind):
    ada = await desk.person("Ada")
    action = (await published_spec(desk, ada)).actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "submit_for_review", action_pid=action["pid"], pr_url=PR, summary="Done.")
    with refused(RuleBroken, "in_review", LATE_REPORT_SAVED, "use resubmit_for_review"):
        await desk.call(ada, operation, action_pid=action["pid"], **sent)
    event = await last_event(desk, ada, action)
    assert (event["kind"], event["data"]["report"]) == ("report.late", kind)


async def test_a_late_test_result_is_kept_and_moves_no_criterion(desk, taken_over):
    ada, grace, action, _, _ = taken_over
    with refused(ClaimLost):
        await desk.call(
            ada, "report_test_result", action_pid=action["pid"], criterion_id=action["criteria"][0], outcome="passed"
        )
    brief = await desk.call(grace, "get_action_brief", action_pid=action["pid"])
    assert {one["status"] for one in brief["action"]["acceptanceCriteria"]} == {"seen"}


async def test_the_new_holder_goes_on_undisturbed(desk, taken_over):
    _, grace, action, _, theirs = taken_over
    answer = await desk.call(
        grace,
        "update_progress",
        action_pid=action["pid"],
        status="started",
        message="Went on.",
        claim_id=theirs["id"],
    )
    assert answer["claim"]["fence"] == 2


async def test_someone_who_never_held_it_is_told_that_another_does(desk, taken_over):
    _, _, action, _, _ = taken_over
    eve = await desk.person("Eve")
    with refused(HeldByAnother):
        await desk.call(eve, "update_progress", action_pid=action["pid"], status="started", message="Hello.")


async def test_an_action_that_nobody_holds_has_to_be_claimed_first(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    with refused(RuleBroken, "not_claimed"):
        await desk.call(ada, "update_progress", action_pid=work.actions[0]["pid"], status="started", message="Hello.")


async def test_a_released_claims_id_is_refused_even_when_its_user_holds_a_newer_one(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    action = work.actions[0]
    old = await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "release_action", action_pid=action["pid"])
    newer = await desk.call(ada, "claim_action", action_pid=action["pid"])
    report = {"action_pid": action["pid"], "status": "started", "message": "Woke up."}
    with refused(ClaimLost, "claim_lost", "You hold PEN-1, but by a newer claim"):
        await desk.call(ada, "update_progress", **report, claim_id=old["claim"]["id"])
    await desk.call(ada, "update_progress", **report, claim_id=newer["claim"]["id"])
