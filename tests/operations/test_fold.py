"""Folding the log gives the state: after rich histories, on both engines."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.errors import Refusal
from pendesk.store import events
from tests.desk import MINUTE
from tests.folding import check_fold
from tests.workbench import drafted_spec, published_spec

SHA = "a" * 40
PR = "https://github.com/acme/desk/pull/7"


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


@pytest.fixture
async def bea(desk):
    return await desk.person("Bea")


async def refused(calling):
    with pytest.raises(Refusal) as caught:
        await calling
    return caught.value.code


async def log(desk, *kinds):
    logged = await desk.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 1_000))
    return [event for event in logged if event.kind in kinds]


async def test_a_build_from_claim_to_approval(desk, ada, bea):
    work = await published_spec(desk, ada, actions=3, participants=(bea,))
    action, ids = work.actions[0], work.actions[0]["criteria"]
    ref = {"action_pid": action["pid"]}
    await desk.call(bea, "claim_action", **ref)
    await desk.call(bea, "get_action_brief", **ref)
    await desk.call(bea, "get_action_brief", **ref)
    await check_fold(desk)
    await desk.call(bea, "report_commit", **ref, sha=SHA, message="Add the form", criterion_ids=[ids[0], ids[0]])
    await desk.call(bea, "report_test_result", **ref, criterion_id=ids[0], outcome="failed")
    await desk.call(bea, "report_test_result", **ref, criterion_id=ids[0], outcome="passed")
    report = f'<testsuite><testcase name="test {ids[1]}"/></testsuite>'
    await desk.call(bea, "upload_test_report", **ref, format="junit", content=report)
    await check_fold(desk)
    asked = await desk.call(bea, "request_clarification", **ref, question="Which colour?")
    other = await desk.call(bea, "request_clarification", **ref, question="Which size?")
    await desk.call(ada, "answer_question", clarification_pid=asked["pid"], answer="Blue.")
    await check_fold(desk)
    await desk.call(bea, "answer_clarification", clarification_pid=other["pid"], answer="Large.")
    shown = [{"criterionId": ids[0], "evidence": "12/12 passed"}]
    await desk.call(bea, "submit_for_review", **ref, pr_url=PR, summary="Done.", evidence=shown)
    folded = await check_fold(desk)
    assert [claim.state for claim in folded[action["pid"]].claims.values()] == [ClaimState.SUBMITTED]
    verdicts = [{"criterionId": ids[0], "verdict": "confirmed"}, {"criterionId": ids[1], "verdict": "rejected"}]
    changes = {"verdict": "changes_requested", "summary": "Almost.", "verdicts": verdicts}
    await desk.call(ada, "review_action", **ref, **changes)
    assert (await check_fold(desk))[action["pid"]].state == ActionState.CHANGES_REQUESTED
    brief = await desk.call(bea, "get_action_brief", **ref)
    fixed = [{"itemId": item["id"], "disposition": "fixed", "note": "Now."} for item in brief["review"]["items"]]
    again = {"pr_url": PR, "summary": "Now.", "dispositions": fixed}
    await desk.call(bea, "resubmit_for_review", **ref, **again)
    assert (await check_fold(desk))[action["pid"]].state == ActionState.IN_REVIEW
    confirmed = [{"criterionId": ident, "verdict": "confirmed"} for ident in ids]
    await desk.call(ada, "review_action", **ref, verdict="approved", summary="Good.", verdicts=confirmed)
    folded = await check_fold(desk)
    assert folded[action["pid"]].state == ActionState.DONE
    assert {one.status for one in folded[action["pid"]].criteria.values()} == {CriterionStatus.CONFIRMED}
    assert {one.fresh for one in folded[action["pid"]].criteria.values()} == {EvidenceLevel.HUMAN}


async def test_claims_that_are_released_dropped_lost_and_taken_away(desk, ada, bea):
    work = await published_spec(desk, ada, actions=4, participants=(bea,))
    first, second, third, fourth = ({"action_pid": action["pid"]} for action in work.actions)
    for ref in (first, second, third):
        await desk.call(bea, "claim_action", **ref)
    await desk.call(bea, "release_action", **first)
    await desk.call(bea, "update_progress", **second, status="wont-do", message="Not needed.")
    await check_fold(desk)
    desk.clock.forward(31 * MINUTE)
    await desk.call(ada, "claim_action", **third)
    assert (
        await refused(desk.call(bea, "update_progress", **third, status="started", message="Wrote it.")) == "claim_lost"
    )
    folded = await check_fold(desk)
    states = sorted(claim.state for claim in folded[third["action_pid"]].claims.values())
    assert states == [ClaimState.ACTIVE, ClaimState.LOST]
    await desk.call(ada, "release_claim", **third, reason="It went quiet.")
    await desk.call(bea, "claim_action", **fourth)
    desk.clock.forward(31 * MINUTE)
    await desk.call(bea, "update_progress", **fourth, status="started", message="Back again.")
    desk.clock.forward(25 * 60 * MINUTE)
    await desk.call(bea, "claim_action", **fourth)  # past the cap of its life: a new claim
    await check_fold(desk)
    await desk.call(ada, "update_action", action_id=second["action_pid"], state="todo")
    await desk.call(ada, "remove_member", user_pid=bea.user_id)
    assert (await check_fold(desk))[fourth["action_pid"]].state == ActionState.TODO


async def test_criteria_that_are_added_reworded_and_removed(desk, ada, bea):
    work = await published_spec(desk, ada, actions=2, criteria=3, participants=(bea,))
    ids = work.actions[0]["criteria"]
    ref = {"action_pid": work.actions[0]["pid"]}
    await desk.call(bea, "claim_action", **ref)
    for ident in ids:
        await desk.call(bea, "report_test_result", **ref, criterion_id=ident, outcome="passed")
    await desk.call(ada, "update_criterion", criterion_id=ids[0], text="It is blue and round")
    await desk.call(ada, "update_criterion", criterion_id=ids[1], position=9)
    await desk.call(ada, "remove_criterion", criterion_id=ids[2])
    await desk.call(ada, "create_criterion", action_id=ref["action_pid"], text="It is small enough")
    await check_fold(desk)
    # What the agent shows is for the text of the published build, so it is stale from the start.
    await desk.call(bea, "report_test_result", **ref, criterion_id=ids[0], outcome="passed")
    folded = (await check_fold(desk))[ref["action_pid"]]
    assert (folded.criteria[ids[0]].fresh, folded.criteria[ids[0]].best) == (None, EvidenceLevel.CLAIMED)
    assert folded.criteria[ids[1]].fresh == EvidenceLevel.CLAIMED
    assert folded.criteria[ids[2]].removed


async def test_what_people_plan_move_and_delete(desk, ada):
    work = await drafted_spec(desk, ada, actions=3)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Plan B", approach="Begin elsewhere.")
    await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], plan_id=other["pid"])
    task = await desk.call(ada, "create_task", project_id=work.project_id, label="Past work", status="done")
    idea = await desk.call(ada, "create_task", project_id=work.project_id, label="An idea", status="backlog")
    await check_fold(desk)
    await desk.call(ada, "update_task", task_id=task["pid"], status="todo")
    await desk.call(ada, "update_task", task_id=task["pid"], status="wont_do", reason="Not wanted.")
    await desk.call(ada, "delete_action", action_id=idea["pid"])
    await desk.call(ada, "delete_plan", plan_id=other["pid"])
    assert work.actions[0]["pid"] not in await check_fold(desk)
    await desk.call(ada, "delete_spec", spec_id=work.spec_id)
    assert list(await check_fold(desk)) == [task["pid"]]
    plan = {
        "name": "Harbour",
        "tasks": [{"key": "a", "label": "First"}, {"key": "b", "label": "Past", "status": "done"}],
    }
    scaffolded = await desk.call(ada, "scaffold_project_from_plan", **plan)
    assert len(await check_fold(desk)) == 3
    await desk.call(ada, "update_project", project_id=scaffolded["pid"], state="archived")
    await desk.call(ada, "delete_project", project_id=scaffolded["pid"])
    assert list(await check_fold(desk)) == [task["pid"]]


async def test_a_project_that_is_imported_begins_in_the_states_of_its_file(desk, ada):
    await desk.call(ada, "load_sample")
    folded = await check_fold(desk)
    assert len(folded) > 20
    free = next(ident for ident, action in sorted(folded.items()) if action.state == ActionState.BACKLOG)
    await desk.call(ada, "update_action", action_id=free, state="todo")
    await check_fold(desk)


async def test_the_states_of_an_import_are_recorded_a_few_actions_at_a_time(desk, ada):
    await desk.call(ada, "load_sample")
    folded = await check_fold(desk)
    imported, *recorded = await log(desk, "project.imported", "state.recorded")
    assert imported.kind == "project.imported"
    assert len(recorded) == -(-len(folded) // 20)
    assert {event.project_id for event in recorded} == {imported.project_id}


async def test_reading_a_brief_again_writes_nothing(desk, ada, bea):
    work = await published_spec(desk, ada, participants=(bea,))
    ref = {"action_pid": work.actions[0]["pid"]}
    await desk.call(bea, "claim_action", **ref)
    await desk.call(ada, "get_action_brief", **ref)  # whoever does not hold it has seen nothing
    assert await log(desk, "criterion.advanced") == []
    await desk.call(bea, "get_action_brief", **ref)
    await desk.call(bea, "get_action_brief", **ref)
    (event,) = await log(desk, "criterion.advanced")
    before = [f'{{"criterionId":"{ident}","before":"pending"}}' for ident in work.actions[0]["criteria"]]
    assert event.data == f'{{"criteria":[{",".join(before)}],"after":"seen"}}'
    assert (event.action_id, event.object_id) == (ref["action_pid"], ref["action_pid"])
