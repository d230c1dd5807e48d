"""Which cards of a board stand together."""

import pytest

from pendesk.operations.overview import card_groups
from tests.workbench import published_spec


@pytest.fixture
async def bo(desk):
    return await desk.person("Bo")


@pytest.fixture
async def work(desk, ada, bo):
    """Four tasks beside the three actions of a spec."""
    work = await published_spec(desk, ada, actions=3, participants=(bo,))
    for number in range(4):
        await desk.call(ada, "create_task", project_id=work.project_id, label=f"Task {number}")
    return work


async def groups(desk, actor, work, group, **narrowed):
    """By name, the numbers of the refs of their cards."""
    board = await desk.call(actor, "get_board", project_id=work.project_id, group=group, **narrowed)
    numbers = {
        card["pid"]: int(card["refCode"].partition("-")[2]) for column in board["columns"] for card in column["cards"]
    }
    stand = {entry["name"]: sorted(numbers[pid] for pid in entry["cards"]) for entry in board["groups"]}
    assert list(stand) == sorted(stand, key=lambda name: (name == "", name.casefold()))
    assert sorted(number for cards in stand.values() for number in cards) == sorted(numbers.values())
    return stand


async def test_by_spec(desk, ada, work):
    await desk.call(ada, "create_spec", project_id=work.project_id, title="Without actions")
    assert await groups(desk, ada, work, "spec") == {"Sign in": [1, 2, 3], "": [4, 5, 6, 7]}
    assert await groups(desk, ada, work, "spec", query="task") == {"": [4, 5, 6, 7]}


async def test_by_label_a_card_stands_under_its_first(desk, ada, work):
    refs = {number: f"{work.actions[0]['refCode'].partition('-')[0]}-{number}" for number in range(1, 8)}
    await desk.call(ada, "update_action", action_id=refs[1], labels=["ui"])
    await desk.call(ada, "update_action", action_id=refs[5], labels=["late", "ui"])
    assert await groups(desk, ada, work, "label") == {"late": [5], "ui": [1], "": [2, 3, 4, 6, 7]}


async def test_by_person_who_is_to_do_it_comes_before_who_has_it(desk, ada, bo, work):
    agent = await desk.person("builder", kind="agent")
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=agent.user_id)
    first, second, third = (action["pid"] for action in work.actions)
    await desk.call(bo, "claim_action", action_pid=first)
    await desk.call(agent, "claim_action", action_pid=second)
    await desk.call(ada, "update_action", action_id=third, assignee="me")
    assert await groups(desk, ada, work, "person") == {"Ada": [3], "Bo": [1], "": [2, 4, 5, 6, 7]}
    await desk.call(ada, "update_action", action_id=first, assignee="me")
    assert await groups(desk, ada, work, "person") == {"Ada": [1, 3], "": [2, 4, 5, 6, 7]}
    assert await groups(desk, ada, work, "agent") == {"builder": [2], "": [1, 3, 4, 5, 6, 7]}


async def test_an_agent_keeps_what_it_has_done(desk, ada, bo, work):
    agent = await desk.person("builder", kind="agent")
    task = await desk.call(ada, "create_task", project_id=work.project_id, label="For the agent")
    await desk.call(ada, "update_task", task_id=task["pid"], assignee="builder")
    assert await groups(desk, ada, work, "agent") == {"builder": [8], "": [1, 2, 3, 4, 5, 6, 7]}
    await desk.call(ada, "update_task", task_id=task["pid"], assignee="")
    for status in ("in_progress", "done"):
        await desk.call(agent, "update_task", task_id=task["pid"], status=status)
    assert (await groups(desk, ada, work, "agent"))["builder"] == [8]


async def test_beyond_a_number_of_groups_the_others_stand_together(desk, ada, work, monkeypatch):
    monkeypatch.setattr(card_groups, "BOARD_GROUPS", 2)
    for number, label in enumerate(("a", "b", "c", "d"), 4):
        ref = f"{work.actions[0]['refCode'].partition('-')[0]}-{number}"
        await desk.call(ada, "update_action", action_id=ref, labels=[label])
    board = await desk.call(ada, "get_board", project_id=work.project_id, group="label")
    assert [(entry["key"], entry["name"], len(entry["cards"])) for entry in board["groups"]] == [
        ("a", "a", 1),
        ("b", "b", 1),
        ("others", "Others", 2),
        ("", "", 3),
    ]


async def test_the_board_of_a_spec_says_how_far_it_is(desk, ada, work):
    board = await desk.call(ada, "get_board", project_id=work.project_id, spec_id=work.spec_id)
    assert board["spec"] == {"pid": work.spec_id, "name": "Sign in", "actions": 3, "actionsDone": 0}
    for narrowed in ({}, {"spec_id": "none"}, {"spec_id": work.project_id}):
        assert "spec" not in await desk.call(ada, "get_board", project_id=work.project_id, **narrowed)
