"""request_draft: an ordinary action that asks an agent for a draft, and what becomes of it."""

import pytest

from pendesk.domain.errors import BadField
from tests.operations.proposals.test_draft_plan import action


async def next_task(desk, agent):
    return await desk.call(agent, "get_next_task", project_id="PEN")


async def state_of(desk, ada, task):
    return (await desk.call(ada, "get_action", action_id=task["pid"]))["state"]


async def draft_plan(desk, agent, spec, **fields):
    return await desk.call(agent, "draft_plan", spec_id=spec["pid"], actions=[action("db")], **fields)


@pytest.fixture
async def task(desk, ada, spec):
    return await desk.call(ada, "request_draft", spec_id=spec["pid"])


async def test_a_plan_is_asked_for_once(desk, ada, spec, task):
    assert (task["label"], task["state"]) == ("Draft a plan for Sign in", "todo")
    assert (await desk.call(ada, "request_draft", spec_id=spec["pid"]))["pid"] == task["pid"]


async def test_the_next_task_says_how_to_draft(desk, agent, terminal, spec, task):
    answer = await next_task(desk, agent)
    assert answer["task"]["pid"] == task["pid"]
    assert f"get_draft (spec_id {spec['pid']})" in answer["next_step"]
    assert f"draft_plan with that spec_id and this task_id: {task['pid']}" in answer["next_step"]
    reader = agent._replace(scopes=agent.scopes - {"specs.write"})
    answer = await next_task(desk, reader)
    assert (answer["task"], answer["reason"]) == (None, "all_blocked")
    assert "agents with the drafting tools (scope specs.write) do them" in answer["why"]


async def test_the_draft_closes_it_once_a_person_accepts(desk, ada, agent, spec, task):
    draft = await draft_plan(desk, agent, spec)
    assert draft["taskRef"] == task["refCode"]
    assert await state_of(desk, ada, task) == "in_review"
    await desk.call(ada, "decide_proposal", draft_id=draft["pid"], verdict="accept_all")
    assert await state_of(desk, ada, task) == "done"


async def test_a_rejected_draft_brings_it_back(desk, ada, agent, spec, task):
    draft = await draft_plan(desk, agent, spec)
    await desk.call(ada, "decide_proposal", draft_id=draft["pid"], verdict="reject", remark="Smaller steps.")
    assert await state_of(desk, ada, task) == "todo"
    moved = [row for row in (await desk.call(ada, "get_timeline"))["events"] if row["kind"] == "action.moved"]
    assert "Smaller steps." in {row.get("detail") for row in moved}
    improved = await draft_plan(desk, agent, spec, draft_id=draft["pid"])
    assert (improved["version"], improved["taskRef"]) == (2, task["refCode"])


async def test_a_claim_on_it_ends_with_the_draft(desk, ada, agent, terminal, spec, task):
    await desk.call(terminal(process="1"), "claim_action", action_pid=task["pid"])
    await draft_plan(desk, agent, spec, task_id=task["refCode"])
    assert await state_of(desk, ada, task) == "in_review"
    assert (await desk.call(terminal(process="1"), "list_available_specs"))["you"]["holds"] == []


async def test_what_another_session_works_on_is_left_to_it(desk, ada, agent, terminal, spec, task):
    await desk.call(terminal(process="2"), "claim_action", action_pid=task["pid"])
    await draft_plan(desk, agent, spec, task_id=task["refCode"])
    assert await state_of(desk, ada, task) == "in_progress"


async def test_a_spec_is_asked_for_by_a_note(desk, ada, agent, project):
    note = await desk.call(ada, "create_note", project_id="PEN", title="An idea", body="Search would help.")
    task = await desk.call(ada, "request_draft", note_id=note["pid"])
    assert task["label"] == "Draft a spec from An idea"
    assert f"get_note (note_id {note['pid']})" in (await next_task(desk, agent))["next_step"]
    draft = await desk.call(agent, "draft_spec", project_id="PEN", title="Search", task_id=task["pid"])
    await desk.call(ada, "decide_proposal", draft_id=draft["pid"], verdict="accept_all")
    assert await state_of(desk, ada, task) == "done"
    await desk.call(ada, "delete_note", note_id=note["pid"])


async def test_a_task_that_asks_for_none_is_refused(desk, ada, agent, spec, plan, task):
    with pytest.raises(BadField, match="task_id"):
        await draft_plan(desk, agent, spec, task_id="PEN-1")
    with pytest.raises(BadField, match="asks for a plan"):
        await desk.call(agent, "draft_spec", project_id="PEN", title="Search", task_id=task["pid"])
    await desk.call(ada, "create_project", name="Other work", key="OTH")
    other = await desk.call(ada, "create_task", project_id="OTH", label="Elsewhere")
    with pytest.raises(BadField, match="another project"):
        await draft_plan(desk, agent, spec, task_id=other["pid"])


async def test_either_a_spec_or_a_note(desk, ada, project):
    with pytest.raises(BadField):
        await desk.call(ada, "request_draft")
