"""Of what is closed only the newest are looked at, and what is said of it is right."""

import pytest

from pendesk.operations.overview import get_flow
from pendesk.store import board

WINDOW = 3


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def project(desk, ada, monkeypatch):
    """Five tasks done, one after the other, and one that is open."""
    monkeypatch.setattr(board, "CLOSED_LOOKED_AT", WINDOW)
    key = (await desk.call(ada, "create_project", name="Harbour"))["key"]
    for number in range(6):
        task = await desk.call(ada, "create_task", project_id=key, label=f"Task {number}", labels=["tide"])
        desk.clock.forward(1_000)
        if number < 5:
            await desk.call(ada, "update_task", task_id=task["pid"], status="done")
    return key


def done_column(told):
    return next(column for column in told["columns"] if column["state"] == "done")


def refs(cards):
    return [card["refCode"].partition("-")[2] for card in cards]


async def test_a_board_counts_all_and_shows_the_newest(desk, ada, project):
    column = done_column(await desk.call(ada, "get_board", project_id=project))
    assert (column["count"], refs(column["cards"])) == (5, ["5", "4", "3", "2", "1"])
    assert "newestOnly" not in column


async def test_a_narrowed_board_says_how_many_it_looked_at(desk, ada, project):
    told = await desk.call(ada, "get_board", project_id=project, label="tide")
    column = done_column(told)
    assert (column["count"], column["newestOnly"], refs(column["cards"])) == (3, WINDOW, ["5", "4", "3"])
    todo = next(column for column in told["columns"] if column["state"] == "todo")
    assert (todo["count"], "newestOnly" in todo) == (1, False)


async def test_another_order_is_one_of_the_newest(desk, ada, project):
    column = done_column(await desk.call(ada, "get_board", project_id=project, order="ref"))
    assert (column["count"], column["newestOnly"], refs(column["cards"])) == (5, WINDOW, ["3", "4", "5"])


async def test_a_list_is_of_what_is_open_and_the_newest_of_the_rest(desk, ada, project):
    told = await desk.call(ada, "list_cards", project_id=project)
    assert (told["count"], told["newestOnly"], refs(told["cards"])) == (6, WINDOW, ["3", "4", "5", "6"])
    newest = await desk.call(ada, "list_cards", project_id=project, order="newest", state="done")
    assert (newest["count"], refs(newest["cards"])) == (5, ["5", "4", "3", "2", "1"])
    assert "newestOnly" not in newest


async def test_a_flow_has_room_for_what_is_open_first(desk, ada, project, monkeypatch):
    monkeypatch.setattr(get_flow, "GRAPH_NODES", 3)
    told = await desk.call(ada, "get_flow", project_id=project)
    assert (told["count"], refs(node["card"] for node in told["nodes"])) == (6, ["4", "5", "6"])
