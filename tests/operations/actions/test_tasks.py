"""create_task and update_task: the same records as actions, in planning words."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound, RevisionConflict, RoleForbids, RuleBroken
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import published_spec


async def test_a_task_is_an_action(desk, ada, project):
    task = await desk.call(
        ada, "create_task", project_id="PEN", label="Draw it", description="*All* of it", x=1.5, y=-2, priority=3
    )
    assert (task["refCode"], task["status"], task["description"]) == ("PEN-1", "todo", "*All* of it")
    action = await desk.call(ada, "get_action", action_id="PEN-1")
    assert (action["pid"], action["state"], action["priority"]) == (task["pid"], "todo", 3)
    assert (action["x"], action["y"]) == (1.5, -2)
    claimed = await desk.call(ada, "claim_action", action_pid=task["pid"])
    assert claimed["status"] == "started"
    assert (await desk.call(ada, "get_task", task_id="PEN-1"))["status"] == "in_progress"


async def test_texts_and_place_change_and_the_rest_stays(desk, ada, project):
    await desk.call(ada, "create_task", project_id="PEN", label="x", description="d", x=1, y=1)
    task = await desk.call(ada, "update_task", task_id="PEN-1", label="Better", y=9, priority=2)
    assert (task["label"], task["description"], task["x"], task["y"]) == ("Better", "d", 1, 9)
    assert (task["priority"], task["revision"]) == (2, 2)


@pytest.mark.parametrize("more", [{}, {"expected_revision": 1}, {"reason": "Why"}])
async def test_an_edit_that_changes_nothing_names_the_tool_that_reads(desk, ada, project, more):
    await desk.call(ada, "create_task", project_id="PEN", label="x", description="d")
    with refused(RuleBroken, "nothing_to_change") as caught:
        await desk.call(ada, "update_task", task_id="PEN-1", **more)
    assert "get_task" in caught.refusal.message
    assert not await events_of(desk, ada, "action.edited")


async def test_done_and_back_and_dropped_with_a_reason(desk, ada, project):
    await desk.call(ada, "create_task", project_id="PEN", label="x")
    assert (await desk.call(ada, "update_task", task_id="PEN-1", status="done"))["status"] == "done"
    assert (await desk.call(ada, "update_task", task_id="PEN-1", status="todo"))["status"] == "todo"
    with refused(RuleBroken, "reason_needed"):
        await desk.call(ada, "update_task", task_id="PEN-1", status="wont_do")
    dropped = await desk.call(ada, "update_task", task_id="PEN-1", status="wont_do", reason="Too late.")
    assert (dropped["status"], dropped["statusReason"]) == ("wont_do", "Too late.")


async def test_criteria_need_a_persons_review(desk, ada):
    work = await published_spec(desk, ada)
    with refused(RuleBroken, "needs_review"):
        await desk.call(ada, "update_task", task_id=work.actions[0]["pid"], status="done")
    assert len((await desk.call(ada, "get_task", task_id=work.actions[0]["pid"]))["criteria"]) == 2


async def test_an_edit_of_an_old_revision_is_refused(desk, ada, grace, project):
    await desk.call(ada, "create_task", project_id="PEN", label="x")
    await desk.call(grace, "update_task", task_id="PEN-1", label="Grace's")
    with refused(RevisionConflict) as caught:
        await desk.call(ada, "update_task", task_id="PEN-1", label="Ada's", expected_revision=1)
    assert caught.refusal.details["changed"] == {"action.label": "Grace's"}


async def test_who_may_not(desk, ada, project):
    viewer = await desk.person("Vera", Role.VIEWER)
    with refused(RoleForbids):
        await desk.call(viewer, "create_task", project_id="PEN", label="x")
    with refused(NotFound):
        await desk.call(ada, "create_task", project_id="NONE", label="x")
    with refused(NotFound):
        await desk.call(ada, "update_task", task_id="PEN-9", label="x")


async def test_the_same_key_makes_one_task(desk, ada, project):
    asked = {"project_id": "PEN", "label": "x", "idempotency_key": "once"}
    assert await desk.call(ada, "create_task", **asked) == await desk.call(ada, "create_task", **asked)
    assert (await desk.call(ada, "get_project", project_id="PEN"))["counts"] == {"todo": 1}
