"""Actions: making, editing, moving, reading and listing them."""

import pytest

from pendesk.domain.errors import AlreadyClaimed, BadField, NotFound, RevisionConflict, RuleBroken
from pendesk.domain.limits import ACTION_CRITERIA, PAGE_ROWS, PLAN_ACTIONS
from pendesk.store import actions as stored
from tests.desk import MINUTE
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec

SHA = "a" * 40


@pytest.fixture
async def task(desk, ada, project):
    return await desk.call(ada, "create_action", project_id="PEN", label="A task")


async def test_an_action_counts_up_in_its_project(desk, ada, project):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    made = [
        (await desk.call(ada, "create_action", project_id=key, label="x"))["refCode"] for key in ("PEN", "OTH", "PEN")
    ]
    assert made == ["PEN-1", "OTH-1", "PEN-2"]


async def test_a_plain_task_belongs_to_no_spec_and_may_be_claimed_at_once(desk, ada, task):
    assert (task["specId"], task["planId"], task["state"]) == (None, None, "todo")
    assert (await desk.call(ada, "claim_action", action_pid="PEN-1"))["status"] == "started"


async def test_an_action_of_a_plan_belongs_to_its_spec(desk, ada):
    work = await drafted_spec(desk, ada, actions=1)
    read = await desk.call(ada, "get_action", action_id=work.actions[0]["refCode"])
    assert (read["planId"], read["specId"], read["projectId"]) == (work.plan_id, work.spec_id, work.project_id)


async def test_an_action_without_a_home_is_refused(desk, ada):
    with refused(BadField):
        await desk.call(ada, "create_action", label="x")


async def test_a_plan_of_another_project_is_refused(desk, ada):
    work = await drafted_spec(desk, ada, actions=0)
    await desk.call(ada, "create_project", name="Other", key="OTH")
    with refused(BadField) as caught:
        await desk.call(ada, "create_action", label="x", plan_id=work.plan_id, project_id="OTH")
    assert caught.refusal.details["field"] == "project_id"
    await desk.call(ada, "create_action", label="x", plan_id=work.plan_id, project_id="pen")


async def test_an_unknown_prerequisite_makes_nothing(desk, ada, project):
    with refused(NotFound):
        await desk.call(ada, "create_action", project_id="PEN", label="x", prerequisites=["PEN-99"])
    assert (await desk.call(ada, "list_actions", project_id="PEN"))["actions"] == []
    assert (await desk.call(ada, "create_action", project_id="PEN", label="x"))["refCode"] == "PEN-1"


async def test_a_prerequisite_of_another_project_is_refused(desk, ada, task):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    with refused(RuleBroken, "other_project"):
        await desk.call(ada, "create_action", project_id="OTH", label="x", prerequisites=["PEN-1"])


async def test_a_plan_takes_a_bounded_number_of_actions(desk, ada, monkeypatch):
    work = await drafted_spec(desk, ada, actions=0)
    monkeypatch.setattr(stored, "count_in_plan", lambda tx, plan_id: PLAN_ACTIONS)
    with refused(RuleBroken, "too_many"):
        await desk.call(ada, "create_action", plan_id=work.plan_id, label="One more")


async def test_criteria_are_bounded(desk, ada, project):
    full = await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["c"] * ACTION_CRITERIA)
    with refused(RuleBroken, "too_many"):
        await desk.call(ada, "create_criterion", action_id=full["pid"], text="One more")
    with refused(BadField):
        await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["c"] * (ACTION_CRITERIA + 1))


async def test_an_edit_changes_the_texts_and_keeps_the_rest(desk, ada, task):
    edited = await desk.call(ada, "update_action", action_id="PEN-1", description="More", paths=["src/**"], area="web")
    assert (edited["label"], edited["description"], edited["paths"]) == ("A task", "More", ["src/**"])
    assert (edited["area"], edited["revision"]) == ("web", 2)


async def test_an_edit_of_an_old_revision_is_refused_with_the_present_text(desk, ada, grace, task):
    await desk.call(grace, "update_action", action_id="PEN-1", label="Her task")
    with refused(RevisionConflict) as caught:
        await desk.call(ada, "update_action", action_id="PEN-1", label="My task", expected_revision=1)
    assert caught.refusal.details["changed"] == {"action.label": "Her task"}


async def test_moving_it_about_makes_no_revision_and_no_conflict(desk, ada, task):
    placed = await desk.call(ada, "update_action", action_id="PEN-1", x=10.5, y=-3, priority=5, position=7)
    assert (placed["x"], placed["y"], placed["priority"], placed["position"]) == (10.5, -3.0, 5, 7)
    assert placed["revision"] == 1
    await desk.call(ada, "update_action", action_id="PEN-1", label="Other", expected_revision=1)
    first, _ = await events_of(desk, ada, "action.edited")
    assert first["data"]["place"]["after"] == {"priority": 5, "position": 7, "x": 10.5, "y": -3.0}


async def test_what_changes_nothing_is_not_in_the_log(desk, ada, task):
    await desk.call(ada, "update_action", action_id="PEN-1", label="A task", priority=0, state="todo")
    assert await events_of(desk, ada, "action.edited") == []
    assert await events_of(desk, ada, "action.moved") == []


async def test_a_plain_task_is_set_done_and_reopened_by_hand(desk, ada, task):
    assert (await desk.call(ada, "update_action", action_id="PEN-1", state="done"))["state"] == "done"
    assert (await desk.call(ada, "update_action", action_id="PEN-1", state="todo"))["state"] == "todo"
    (moved,) = await events_of(desk, ada, "action.moved")
    (reopened,) = await events_of(desk, ada, "action.reopened")
    assert (moved["data"]["before"], moved["data"]["after"]) == ("todo", "done")
    assert (reopened["data"]["before"], reopened["data"]["after"]) == ("done", "todo")


async def test_an_action_with_criteria_is_done_only_by_review(desk, ada, project):
    await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["It holds"])
    with refused(RuleBroken, "needs_review"):
        await desk.call(ada, "update_action", action_id="PEN-1", state="done")


async def test_dropping_needs_a_reason_which_is_kept_until_it_is_reopened(desk, ada, task):
    with refused(RuleBroken, "reason_needed"):
        await desk.call(ada, "update_action", action_id="PEN-1", state="wont_do")
    dropped = await desk.call(ada, "update_action", action_id="PEN-1", state="wont_do", reason="Not needed")
    assert dropped["stateReason"] == "Not needed"
    assert (await desk.call(ada, "update_action", action_id="PEN-1", state="backlog"))["stateReason"] is None


async def test_a_refused_move_leaves_the_texts_as_they_were(desk, ada, task):
    with refused(RuleBroken, "invalid_transition"):
        await desk.call(ada, "update_action", action_id="PEN-1", label="Other", state="changes_requested")
    assert (await desk.call(ada, "get_action", action_id="PEN-1"))["label"] == "A task"


async def test_a_claimed_action_is_edited_but_not_moved(desk, ada, grace, task):
    await desk.call(grace, "claim_action", action_pid="PEN-1")
    await desk.call(grace, "get_action_brief", action_pid="PEN-1")
    with refused(AlreadyClaimed):
        await desk.call(ada, "update_action", action_id="PEN-1", state="backlog")
    await desk.call(ada, "update_action", action_id="PEN-1", description="Mind the gap")
    brief = await desk.call(grace, "get_action_brief", action_pid="PEN-1")
    assert brief["changes"] == [{"field": "action.description", "diff": "@@ -0,0 +1 @@\n+Mind the gap"}]


async def test_a_new_criterion_of_a_claimed_task_is_told_as_a_change(desk, ada, grace, task):
    await desk.call(grace, "claim_action", action_pid="PEN-1")
    await desk.call(grace, "get_action_brief", action_pid="PEN-1")
    await desk.call(ada, "create_criterion", action_id="PEN-1", text="It is fast")
    brief = await desk.call(grace, "get_action_brief", action_pid="PEN-1")
    assert brief["changes"] == [{"field": "action.criteria", "added": "It is fast"}]


async def test_an_action_taken_back_is_hidden_from_agents(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    await desk.call(ada, "update_action", action_id=work.actions[0]["pid"], state="scope")
    (spec,) = (await desk.call(ada, "list_available_specs"))["specs"]
    assert [one["refCode"] for one in spec["actions"]] == [work.actions[1]["refCode"]]


async def test_everything_about_an_action_is_read_at_once(desk, ada, grace):
    work = await published_spec(desk, ada, actions=2, criteria=1, chain=True, participants=(grace,))
    first, second = work.actions
    criterion = first["criteria"][0]
    await desk.call(grace, "claim_action", action_pid=first["pid"], agent_model="opus")
    await desk.call(grace, "update_progress", action_pid=first["pid"], status="started", message="Began.")
    question = await desk.call(grace, "request_clarification", action_pid=first["pid"], question="Which?")
    await desk.call(grace, "answer_clarification", clarification_pid=question["pid"], answer="This.")
    await desk.call(grace, "report_commit", action_pid=first["pid"], sha=SHA, message="Do it")
    await desk.call(
        grace,
        "report_test_result",
        action_pid=first["pid"],
        criterion_id=criterion,
        outcome="passed",
        evidence="3/3",
    )
    read = await desk.call(ada, "get_action", action_id=first["refCode"])
    assert read["state"] == "in_progress"
    assert (read["claim"]["holder"], read["claim"]["pulse"], read["claim"]["lastMessage"]) == (
        "Grace",
        "live",
        "Began.",
    )
    assert read["criteria"][0]["status"] == "validated"
    assert (read["criteria"][0]["evidence"]["level"], read["criteria"][0]["evidence"]["text"]) == ("claimed", "3/3")
    assert [one["answer"] for one in read["clarifications"]] == ["This."]
    assert [one["sha"] for one in read["commits"]] == [SHA]
    assert [one["outcome"] for one in read["testResults"]] == ["passed"]
    after = await desk.call(ada, "get_action", action_id=second["pid"])
    assert [(one["refCode"], one["state"]) for one in after["prerequisites"]] == [(first["refCode"], "in_progress")]


async def test_submissions_and_reviews_come_newest_first(desk, ada, grace):
    work = await published_spec(desk, ada, actions=1, criteria=1, participants=(grace,))
    action, criterion = work.actions[0]["pid"], work.actions[0]["criteria"][0]
    pr = "https://example.com/pr/1"
    await desk.call(grace, "claim_action", action_pid=action)
    await desk.call(grace, "submit_for_review", action_pid=action, pr_url=pr, summary="First try")
    await desk.call(
        ada,
        "review_action",
        action_pid=action,
        verdict="changes_requested",
        summary="Not yet",
        verdicts=[{"criterionId": criterion, "verdict": "rejected", "note": "It fails"}],
    )
    read = await desk.call(ada, "get_action", action_id=action)
    assert [(one["number"], one["submittedBy"]) for one in read["submissions"]] == [(1, "Grace")]
    (review,) = read["reviews"]
    assert (review["verdict"], review["reviewedBy"]) == ("changes_requested", "Ada")
    assert review["verdicts"] == [{"criterionId": criterion, "verdict": "rejected", "note": "It fails"}]
    assert [(one["text"], one["disposition"]) for one in review["items"]] == [("It fails", None)]


async def test_a_quiet_and_an_expired_claim_say_so(desk, ada, task):
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    for minutes, pulse in ((16, "quiet"), (15, "expired")):
        desk.clock.forward(minutes * MINUTE)
        assert (await desk.call(ada, "get_action", action_id="PEN-1"))["claim"]["pulse"] == pulse


@pytest.mark.parametrize("state", [None, "todo"])
async def test_actions_are_listed_in_pages_without_their_texts(desk, ada, project, state):
    made = [
        (await desk.call(ada, "create_action", project_id="PEN", label="x", description="long"))["pid"]
        for _ in range(PAGE_ROWS + 3)
    ]
    await desk.call(ada, "create_action", project_id="PEN", label="An idea", state="backlog")
    narrowed = {"state": state} if state else {}
    first = await desk.call(ada, "list_actions", project_id="PEN", **narrowed)
    rest = await desk.call(ada, "list_actions", project_id="PEN", cursor=first["nextCursor"], **narrowed)
    assert len(first["actions"]) == PAGE_ROWS
    assert "nextCursor" not in rest
    rows = first["actions"] + rest["actions"]
    assert len(rows) == len({one["pid"] for one in rows})
    assert set(made) <= {one["pid"] for one in rows}
    assert len(rows) == len(made) + (state is None)
    assert "description" not in rows[0]


@pytest.mark.parametrize("ident", ["PEN-2", "PEN-0", "OTH-1", "x", "0190a000-0000-7000-8000-000000000000"])
async def test_an_unknown_action_is_not_found(desk, ada, task, ident):
    for name in ("get_action", "update_action"):
        with refused(NotFound):
            await desk.call(ada, name, action_id=ident)
