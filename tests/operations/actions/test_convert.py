"""A criterion becomes an action, and an action a criterion."""

import pytest

from pendesk.domain.errors import BadField, RevisionConflict, RuleBroken
from tests.refusals import refused


@pytest.fixture
async def plan(desk, ada, project):
    spec = await desk.call(ada, "create_spec", project_id="PEN", title="Tides")
    return (await desk.call(ada, "create_plan", spec_id=spec["pid"], title="Plan A"))["pid"]


@pytest.fixture
async def action(desk, ada, plan):
    first = await desk.call(ada, "create_action", plan_id=plan, label="First", criteria=["One", "Two"])
    await desk.call(ada, "create_action", plan_id=plan, label="Last")
    return first


async def labels_and_criteria(desk, ada):
    listed = await desk.call(ada, "list_actions", project_id="PEN")
    rows = sorted(listed["actions"], key=lambda row: row["position"])
    read = [await desk.call(ada, "get_action", action_id=row["pid"]) for row in rows]
    return {row["label"]: [criterion["text"] for criterion in row["criteria"]] for row in read}


async def test_a_criterion_becomes_the_next_action_of_the_plan(desk, ada, action):
    made = await desk.call(ada, "convert_criterion", criterion_id=action["criteria"][0]["id"])
    assert (made["refCode"], made["label"], made["description"]) == ("PEN-3", "One", "")
    seen = await labels_and_criteria(desk, ada)
    assert (list(seen), seen["First"]) == (["First", "One", "Last"], ["Two"])


async def test_what_is_too_long_for_a_title_is_the_description(desk, ada, action):
    long = await desk.call(ada, "create_criterion", action_id="PEN-1", text="w" * 300)
    made = await desk.call(ada, "convert_criterion", criterion_id=long["criteria"][-1]["id"])
    assert (made["label"], made["description"]) == ("w" * 199 + "…", "w" * 300)


async def test_a_criterion_of_an_action_without_a_spec_becomes_one_without_a_spec(desk, ada, project):
    action = await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["One"])
    made = await desk.call(ada, "convert_criterion", criterion_id=action["criteria"][0]["id"])
    assert (made["label"], made["planId"]) == ("One", None)


async def test_a_criterion_that_someone_edited_meanwhile_stays(desk, ada, action):
    await desk.call(ada, "update_action", action_id="PEN-1", label="y")
    with refused(RevisionConflict):
        await desk.call(
            ada, "convert_criterion", criterion_id=action["criteria"][0]["id"], expected_revision=action["revision"]
        )
    assert list(await labels_and_criteria(desk, ada)) == ["y", "Last"]


async def test_an_action_becomes_the_last_criterion_of_another(desk, ada, action):
    made = await desk.call(ada, "convert_action", action_id="PEN-2", to_action_id="PEN-1")
    assert (made["actionId"], made["refCode"]) == (action["pid"], "PEN-1")
    assert await labels_and_criteria(desk, ada) == {"First": ["One", "Two", "Last"]}
    back = await desk.call(ada, "convert_criterion", criterion_id=made["pid"])
    assert (back["refCode"], back["label"]) == ("PEN-3", "Last")


async def test_an_action_that_has_more_than_a_title_stays_one(desk, ada, action):
    await desk.call(ada, "update_action", action_id="PEN-2", description="By phone.", due="2027-01-02")
    with refused(RuleBroken, "more_than_a_title", "PEN-2 has a description, a due date"):
        await desk.call(ada, "convert_action", action_id="PEN-2", to_action_id="PEN-1")
    with refused(RuleBroken, "more_than_a_title"):
        await desk.call(ada, "convert_action", action_id="PEN-1", to_action_id="PEN-2")


async def test_an_action_becomes_no_criterion_of_itself_or_of_another_project(desk, ada, action):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    await desk.call(ada, "create_action", project_id="OTH", label="Far away")
    for target in ("PEN-2", "OTH-1"):
        with refused(BadField):
            await desk.call(ada, "convert_action", action_id="PEN-2", to_action_id=target)
    assert len(await labels_and_criteria(desk, ada)) == 2
