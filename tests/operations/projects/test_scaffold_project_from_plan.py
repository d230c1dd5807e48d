"""scaffold_project_from_plan: a whole project or nothing, and every fault at once."""

import json

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.limits import SCAFFOLD_EDGES, SCAFFOLD_TASKS
from tests.events import events_of
from tests.refusals import refused

PLAN = {
    "name": "Shop",
    "description": "Sell *things*.",
    "tasks": [
        {"key": "db", "label": "Add the table", "description": "With an index.", "x": 10, "y": 20},
        {"key": "api", "label": "Serve it"},
        {"key": "later", "label": "Think of more", "status": "backlog"},
        {"key": "old", "label": "Buy the domain", "status": "done"},
    ],
    "edges": [
        {"from": "db", "to": "api", "style": "dashed"},
        {"from": "api", "to": "old", "label": "depends_on"},
        {"from": "later", "to": "api", "label": "supports"},
    ],
    "documents": [{"title": "Why", "body": "# Why\n", "status_line": "draft", "link_to": "db"}, {"title": "How"}],
}


async def test_all_of_it_is_made(desk, ada):
    answer = await desk.call(ada, "scaffold_project_from_plan", **PLAN)
    assert (answer["name"], answer["tasks"], answer["edges"], answer["documents"]) == ("Shop", 4, 3, 2)
    ids = answer["key_to_id"]
    assert set(ids) == {"db", "api", "later", "old"}
    project = await desk.call(ada, "get_project", project_id=answer["pid"])
    assert (project["description"], project["counts"]) == ("Sell *things*.", {"todo": 2, "backlog": 1, "done": 1})
    task = await desk.call(ada, "get_task", task_id=ids["db"])
    assert (task["label"], task["description"], task["x"], task["y"]) == ("Add the table", "With an index.", 10, 20)
    api = await desk.call(ada, "get_action", action_id=ids["api"])
    assert sorted(prerequisite["pid"] for prerequisite in api["prerequisites"]) == sorted([ids["db"], ids["old"]])
    why, how = (await desk.call(ada, "list_documents", project_id=answer["pid"]))["documents"]
    assert (why["linkedTaskId"], why["statusLine"], how["linkedTaskId"]) == (ids["db"], "draft", None)
    following = await desk.call(ada, "get_next_task", project_id=answer["pid"])
    assert following["task"]["pid"] == ids["db"]
    assert len(await events_of(desk, ada, "edge.created")) == 3


async def test_every_fault_at_once_and_nothing_is_made(desk, ada):
    plan = {
        "name": "Shop",
        "tasks": [
            {"key": "a", "label": "A"},
            {"key": "b", "label": "B", "status": "in_review"},
            {"key": "a", "label": "Again"},
        ],
        "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}, {"from": "a", "to": "nowhere"}],
        "documents": [{"title": "D", "link_to": "nothing"}],
    }
    with refused(RuleBroken, "bad_plan") as caught:
        await desk.call(ada, "scaffold_project_from_plan", **plan)
    assert sorted(fault["field"] for fault in caught.refusal.details["faults"]) == [
        "documents[0].link_to",
        "edges[1]",
        "edges[2].to",
        "tasks[2].key",
    ]
    assert all(fault["problem"] for fault in caught.refusal.details["faults"])
    assert (await desk.call(ada, "list_projects"))["projects"] == []


async def test_parts_of_the_wrong_shape_are_told_with_all_the_rest(desk, ada):
    plan = {
        "name": "",
        "colour": "red",
        "tasks": [
            {"key": "a"},
            {"key": "a", "label": "two\nlines", "status": "nonsense"},
            7,
            {"label": "x", "x": "far"},
        ],
        "edges": [{"from": "a", "to": "b", "label": "hates"}, {"from": "a"}],
    }
    with refused(BadField) as caught:
        await desk.call(ada, "scaffold_project_from_plan", **plan)
    faults = {fault["field"] for fault in caught.refusal.details["faults"]}
    assert faults == {
        "name",
        "colour",
        "tasks[0].label",
        "tasks[1].label",
        "tasks[1].status",
        "tasks[1].key",
        "tasks[2]",
        "tasks[3].key",
        "tasks[3].x",
        "edges[0].label",
        "edges[0].to",
        "edges[1].to",
    }
    assert "There are 12 faults in all" in caught.refusal.message


@pytest.mark.parametrize("tasks", [None, 7, {}, "text", [None], [[[]]]])
async def test_a_plan_without_tasks_in_it_is_refused(desk, ada, tasks):
    with refused(BadField):
        await desk.call(ada, "scaffold_project_from_plan", name="Shop", tasks=tasks, edges=tasks, documents=tasks)


async def test_the_same_edge_twice_is_one(desk, ada):
    tasks = [{"key": "a", "label": "A"}, {"key": "b", "label": "B"}]
    edges = [{"from": "a", "to": "b"}] * 2
    answer = await desk.call(ada, "scaffold_project_from_plan", name="Shop", tasks=tasks, edges=edges)
    assert answer["edges"] == 1


async def test_a_project_may_begin_without_tasks(desk, ada):
    answer = await desk.call(ada, "scaffold_project_from_plan", name="Shop", tasks=[])
    assert answer["key_to_id"] == {}


async def test_the_same_key_makes_one_project(desk, ada):
    values = {**PLAN, "idempotency_key": "once"}
    first = await desk.call(ada, "scaffold_project_from_plan", **values)
    assert await desk.call(ada, "scaffold_project_from_plan", **values) == first
    assert len((await desk.call(ada, "list_projects"))["projects"]) == 1


async def test_the_largest_plan(desk, ada):
    tasks = [{"key": f"task-{number}", "label": f"Task {number}"} for number in range(SCAFFOLD_TASKS)]
    edges = [
        {"from": f"task-{number % SCAFFOLD_TASKS}", "to": f"task-{number % SCAFFOLD_TASKS + 1 + number // 190}"}
        for number in range(SCAFFOLD_EDGES)
        if number % SCAFFOLD_TASKS + 1 + number // 190 < SCAFFOLD_TASKS
    ]
    answer = await desk.call(ada, "scaffold_project_from_plan", name="Large", tasks=tasks, edges=edges)
    assert len(answer["key_to_id"]) == SCAFFOLD_TASKS


async def test_the_worst_plan_is_refused_in_a_bounded_answer(desk, ada):
    tasks = [{"key": "a", "label": ""}] * SCAFFOLD_TASKS
    edges = [{"from": "a", "to": "a"}] * SCAFFOLD_EDGES
    with refused(BadField) as caught:
        await desk.call(ada, "scaffold_project_from_plan", name="Bad", tasks=tasks, edges=edges)
    assert len(json.dumps(caught.refusal.details)) < 20_000
