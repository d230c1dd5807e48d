"""A criterion stands the same way on every surface: what failed last is failing, what was rejected has no tick."""

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "a" * 40


@pytest.fixture
async def held(desk):
    """An action with two criteria, both passed."""
    ada, rita = await desk.person("Ada"), await desk.person("Rita")
    work = await published_spec(desk, ada, actions=1, criteria=2)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    for criterion_id in action["criteria"]:
        await report(desk, ada, action, criterion_id, "passed")
    return ada, rita, work, action


async def report(desk, actor, action, criterion_id, outcome):
    desk.clock.forward(1)
    await desk.call(actor, "report_test_result", action_pid=action["pid"], criterion_id=criterion_id, outcome=outcome)


async def submit(desk, actor, action, operation="submit_for_review", **more):
    desk.clock.forward(1)
    code = {"branch": "main", "head_sha": SHA}
    return await desk.call(actor, operation, action_pid=action["pid"], summary="Done.", **code, **more)


async def review(desk, actor, action, verdict, **words):
    """`words` are verdicts by the place of the criterion: first="rejected"."""
    desk.clock.forward(1)
    verdicts = [
        {"criterionId": criterion_id, "verdict": words[place]}
        for place, criterion_id in zip(("first", "second"), action["criteria"], strict=True)
        if place in words
    ]
    await desk.call(
        actor, "review_action", action_pid=action["pid"], verdict=verdict, summary="Looked.", verdicts=verdicts
    )


async def surfaces(desk, person, work, action):
    """The states of both criteria, and the counts of every list: they agree, or this fails."""
    page = await desk.call(person, "get_action", action_id=action["pid"])
    states = [criterion["evidenceState"] for criterion in page["criteria"]]
    brief = await desk.call(person, "get_action_brief", action_pid=action["pid"])
    assert [criterion.get("evidenceState", "none") for criterion in brief["action"]["acceptanceCriteria"]] == states
    spec = await desk.call(person, "get_spec", spec_pid=work.spec_id)
    assert [row.get("evidenceState", "none") for row in spec["actions"][0]["acceptanceCriteria"]] == states
    done = sum(state in ("confirmed", "claimed", "artifact", "ci") for state in states)
    board = await desk.call(person, "get_board", project_id=work.project_id)
    flow = await desk.call(person, "get_flow", project_id=work.project_id)
    listed = await desk.call(person, "list_cards", project_id=work.project_id)
    cards = [card for column in board["columns"] for card in column["cards"]] + listed["cards"]
    for card in [*cards, flow["nodes"][0]["card"]]:
        assert (card["criteria"], card["criteriaDone"]) == (2, done)
        assert card["criteriaConfirmed"] == states.count("confirmed")
        assert card["criteriaSelfReported"] == states.count("claimed")
        assert card["criteriaFailing"] == states.count("failing")
    if page["state"] == "in_review":
        trace = (await desk.call(person, "get_review", action_id=action["pid"]))["criteria"]
        by_id = {criterion["id"]: criterion["evidenceState"] for criterion in trace}
        assert [by_id[criterion_id] for criterion_id in action["criteria"]] == states
        for need in (await desk.call(person, "get_inbox", kind="review"))["items"]:
            assert (need["criteria"], need["criteriaShown"]) == (2, done)
    return states


async def test_what_failed_after_it_passed_is_failing_on_every_surface(desk, held):
    ada, rita, work, action = held
    assert await surfaces(desk, rita, work, action) == ["claimed", "claimed"]
    await report(desk, ada, action, action["criteria"][0], "failed")
    assert await surfaces(desk, rita, work, action) == ["failing", "claimed"]
    page = await desk.call(rita, "get_action", action_id=action["pid"])
    assert page["criteria"][0]["status"] == "validated"
    assert page["criteria"][0]["evidence"]["stale"] == "A later test result failed."
    await report(desk, ada, action, action["criteria"][0], "passed")
    assert await surfaces(desk, rita, work, action) == ["claimed", "claimed"]


async def test_a_rejected_criterion_has_no_tick_until_it_passes_again(desk, held):
    ada, rita, work, action = held
    await submit(desk, ada, action)
    await review(desk, rita, action, "changes_requested", first="rejected", second="confirmed")
    assert await surfaces(desk, rita, work, action) == ["rejected", "confirmed"]
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    fixed = [{"itemId": brief["review"]["items"][0]["id"], "disposition": "fixed", "note": "In the last commit."}]
    texts = [{"criterionId": action["criteria"][0], "evidence": "It works now."}]
    await submit(desk, ada, action, "resubmit_for_review", dispositions=fixed, evidence=texts)
    assert await surfaces(desk, rita, work, action) == ["rejected", "confirmed"]
    await review(desk, rita, action, "changes_requested")
    await report(desk, ada, action, action["criteria"][0], "passed")
    assert await surfaces(desk, rita, work, action) == ["claimed", "confirmed"]
    await report(desk, ada, action, action["criteria"][1], "failed")
    assert await surfaces(desk, rita, work, action) == ["claimed", "failing"]
    await report(desk, ada, action, action["criteria"][1], "passed")
    assert await surfaces(desk, rita, work, action) == ["claimed", "claimed"], "a person has to look again"


async def test_submitting_what_failed_last_is_refused_with_the_list(desk, held):
    ada, _, _, action = held
    first = action["criteria"][0]
    await report(desk, ada, action, first, "failed")
    texts = [{"criterionId": first, "evidence": "It works on my machine."}]
    with refused(RuleBroken, "criteria_failing") as caught:
        await submit(desk, ada, action, evidence=texts)
    assert caught.refusal.details["criteria"] == [{"id": first, "text": "Criterion 1.1 holds"}]
    assert first in caught.refusal.message
    assert "unmet" in caught.refusal.message
    with refused(RuleBroken, "criteria_failing"):
        await submit(desk, ada, action, unmet=[{"criterionId": action["criteria"][1], "reason": "Another one."}])
    await report(desk, ada, action, first, "passed")
    assert (await submit(desk, ada, action))["status"] == "in-review"


async def test_what_failed_may_be_submitted_with_a_reason_that_the_reviewer_sees_first(desk, held):
    ada, rita, work, action = held
    second = action["criteria"][1]
    await report(desk, ada, action, second, "failed")
    unmet = [{"criterionId": second, "reason": "The tide service is down."}]
    texts = [{"criterionId": second, "evidence": "See the log."}]
    await submit(desk, ada, action, unmet=unmet, evidence=texts)
    page = await desk.call(rita, "get_review", action_id=action["pid"])
    assert [(trace["number"], trace.get("unmet")) for trace in page["criteria"]] == [
        (2, "The tide service is down."),
        (1, None),
    ]
    assert page["submission"]["unmet"] == unmet
    assert (await desk.call(rita, "get_action", action_id=action["pid"]))["submissions"][0]["unmet"] == unmet
    assert (await desk.call(ada, "get_action_brief", action_pid=action["pid"]))["submission"]["unmet"] == unmet
    assert await surfaces(desk, rita, work, action) == ["claimed", "failing"]
    await review(desk, rita, action, "approved", first="confirmed", second="confirmed")
    assert await surfaces(desk, rita, work, action) == ["confirmed", "confirmed"], "a person's word is the last"


async def test_resubmitting_what_failed_last_is_refused_too(desk, held):
    ada, rita, _, action = held
    await submit(desk, ada, action)
    await review(desk, rita, action, "changes_requested", second="confirmed")
    await report(desk, ada, action, action["criteria"][1], "failed")
    with refused(RuleBroken, "criteria_failing"):
        await submit(desk, ada, action, "resubmit_for_review")
    unmet = [{"criterionId": action["criteria"][1], "reason": "It broke."}]
    await submit(desk, ada, action, "resubmit_for_review", unmet=unmet)
    with refused(RuleBroken, "criteria_not_confirmed") as caught:
        await review(desk, rita, action, "approved", first="confirmed")
    assert caught.refusal.details["missing"] == [action["criteria"][1]], "its confirmation is from before it broke"


@pytest.fixture
async def unproven(desk):
    """An action whose first criterion passed, and nothing was shown for the second."""
    ada, rita = await desk.person("Ada"), await desk.person("Rita")
    work = await published_spec(desk, ada, actions=1, criteria=2)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await report(desk, ada, action, action["criteria"][0], "passed")
    return ada, rita, work, action


async def test_what_is_unproven_is_accepted_with_an_advisory_and_shown_first(desk, unproven):
    ada, rita, _, action = unproven
    answer = await submit(desk, ada, action)
    assert action["criteria"][1] in answer["advisory"]
    assert action["criteria"][0] not in answer["advisory"]
    page = await desk.call(rita, "get_review", action_id=action["pid"])
    assert [trace["number"] for trace in page["criteria"]] == [2, 1]


async def test_evidence_or_a_reason_leaves_nothing_to_advise(desk, unproven):
    ada, _, _, action = unproven
    reason = [{"criterionId": action["criteria"][1], "reason": "Nothing to measure it with."}]
    assert "advisory" not in await submit(desk, ada, action, unmet=reason)


async def test_a_confirmed_criterion_still_says_that_its_agent_called_it_unmet(desk, unproven):
    ada, rita, _, action = unproven
    unmet = {"criterionId": action["criteria"][0], "reason": "Safari has no such button."}
    await submit(desk, ada, action, unmet=[unmet])
    await review(desk, rita, action, "approved", first="confirmed", second="confirmed")
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    first, second = brief["action"]["acceptanceCriteria"]
    assert (first["status"], first["untrusted"]["calledUnmet"]) == ("confirmed", "Safari has no such button.")
    assert (second["status"], "untrusted" in second) == ("confirmed", False)
    traces = (await desk.call(rita, "get_review", action_id=action["pid"]))["criteria"]
    (evidence,) = (trace["evidence"] for trace in traces if trace["number"] == 1)
    assert evidence[0]["text"] == (
        "Confirmed in the review of submission 1. The agent had called it unmet: Safari has no such button."
    )


async def test_a_project_may_require_evidence_for_every_criterion(desk, unproven):
    ada, _, work, action = unproven
    second = action["criteria"][1]
    settings = {"project_id": work.project_id}
    assert (await desk.call(ada, "update_project", **settings, name="Tides"))["requireEvidence"] is False
    assert (await desk.call(ada, "update_project", **settings, require_evidence=True))["requireEvidence"] is True
    with refused(RuleBroken, "criteria_unproven") as caught:
        await submit(desk, ada, action)
    assert caught.refusal.details["criteria"] == [{"id": second, "text": "Criterion 1.2 holds"}]
    assert (await desk.call(ada, "update_project", **settings, require_evidence=False))["requireEvidence"] is False
    await desk.call(ada, "update_project", **settings, require_evidence=True)
    await submit(desk, ada, action, evidence=[{"criterionId": second, "evidence": "Seen in the browser."}])


@pytest.mark.parametrize("twice", [True, False])
async def test_a_reason_is_given_once_and_not_beside_evidence(desk, unproven, twice):
    ada, _, _, action = unproven
    reason = {"criterionId": action["criteria"][1], "reason": "Not yet."}
    texts = [] if twice else [{"criterionId": action["criteria"][1], "evidence": "Seen."}]
    with refused(BadField, "bad_field") as caught:
        await submit(desk, ada, action, unmet=[reason] * (2 if twice else 1), evidence=texts)
    assert caught.refusal.details["field"] == f"unmet[{int(twice)}].criterionId"


async def test_a_reason_for_a_criterion_of_another_action_is_refused(desk, unproven):
    ada, _, _, action = unproven
    other = await published_spec(desk, ada, actions=1, criteria=1)
    with refused(RuleBroken, "unknown_criterion"):
        await submit(
            desk, ada, action, unmet=[{"criterionId": other.actions[0]["criteria"][0], "reason": "Another's."}]
        )
