"""A project as a list."""

import pytest


@pytest.fixture
async def listed(desk):
    """Refs as they are listed."""
    ada = await desk.person("Ada")
    project = (await desk.call(ada, "create_project", name="Pendesk"))["pid"]
    for label, status in (("Walk", "todo"), ("anchor", "backlog"), ("Sail", "todo")):
        await desk.call(ada, "create_task", project_id=project, label=label, status=status)

    async def listed(**asked):
        told = await desk.call(ada, "list_cards", project_id=project, **asked)
        return [card["label"] for card in told["cards"]], told["count"]

    return listed


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ({}, ["Walk", "anchor", "Sail"]),
        ({"order": "label"}, ["anchor", "Sail", "Walk"]),
        ({"order": "state"}, ["anchor", "Walk", "Sail"]),
        ({"state": "todo"}, ["Walk", "Sail"]),
        ({"query": "A"}, ["Walk", "anchor", "Sail"]),
        ({"query": "chor"}, ["anchor"]),
        ({"state": "todo", "query": "chor"}, []),
    ],
)
async def test_narrowed_and_sorted(listed, asked, labels):
    assert await listed(**asked) == (labels, len(labels))
