"""What somebody may mean who types which action another one depends on."""

import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.limits import SUGGESTED_ACTIONS
from tests.refusals import refused
from tests.workbench import drafted_spec


@pytest.fixture
async def tasks(desk, ada, project):
    for label in ("Read the tides", "Print the tides", "Ring the bell", "Paint the quay"):
        await desk.call(ada, "create_action", project_id="PEN", label=label)


async def suggested(desk, actor, **fields):
    answer = await desk.call(actor, "suggest_actions", project_id="PEN", **fields)
    return [action["refCode"] for action in answer["actions"]]


async def test_without_a_word_the_newest_come(desk, ada, tasks):
    assert await suggested(desk, ada) == ["PEN-4", "PEN-3", "PEN-2", "PEN-1"]


@pytest.mark.parametrize(
    ("query", "refs"),
    [("tid", ["PEN-2", "PEN-1"]), ("the quay", ["PEN-4"]), ("2", ["PEN-2"]), ("pen-3", ["PEN-3"]), ("OTH-1", [])],
)
async def test_by_the_beginning_of_a_word_a_number_or_a_ref(desk, ada, tasks, query, refs):
    assert await suggested(desk, ada, query=query) == refs


async def test_what_would_close_a_circle_or_is_there_already_is_not_suggested(desk, ada, tasks):
    edge = {"project_id": "PEN", "label": "depends_on"}
    await desk.call(ada, "create_edge", from_task_id="PEN-2", to_task_id="PEN-1", **edge)
    await desk.call(ada, "create_edge", from_task_id="PEN-3", to_task_id="PEN-2", **edge)
    assert await suggested(desk, ada, action_id="PEN-1") == ["PEN-4"]
    assert await suggested(desk, ada, action_id="PEN-2") == ["PEN-4"]
    assert await suggested(desk, ada, action_id="PEN-3") == ["PEN-4", "PEN-1"]


async def test_the_actions_of_its_plan_come_first_and_what_is_closed_last(desk, ada):
    work = await drafted_spec(desk, ada)
    first, second = (action["refCode"] for action in work.actions)
    for number in range(2 * SUGGESTED_ACTIONS):
        await desk.call(ada, "create_action", project_id=work.project_id, label=f"Later {number}")
    refs = [
        action["refCode"]
        for action in (await desk.call(ada, "suggest_actions", project_id=work.project_id, action_id=second, query=""))[
            "actions"
        ]
    ]
    assert (refs[0], len(refs)) == (first, SUGGESTED_ACTIONS)
    await desk.call(ada, "update_action", action_id=first, state="wont_do", reason="Not needed.")
    again = await desk.call(ada, "suggest_actions", project_id=work.project_id, action_id=second, query="")
    assert first not in [action["refCode"] for action in again["actions"]]


async def test_an_action_of_another_project_depends_on_nothing_here(desk, ada, tasks):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    await desk.call(ada, "create_action", project_id="OTH", label="Far away")
    with refused(BadField):
        await suggested(desk, ada, action_id="OTH-1")
