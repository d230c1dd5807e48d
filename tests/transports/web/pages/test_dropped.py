"""What was dropped, on every page: nothing done or dropped is blocked, and what waits says for which decision."""

import re

import pytest

from tests.desk import HandClock, TestDesk
from tests.sites import SAME

PAGES = (
    "/p/PEN",
    "/p/PEN/list",
    "/p/PEN/list.csv",
    "/p/PEN/flow",
    "/a/PEN-1",
    "/a/PEN-2",
    "/a/PEN-3",
    "/search?q=Task",
)
BLOCKED = re.compile(r"(?i:waits for) [A-Z]|a person decides|[0-9] prerequisite")
UNDECIDED = "a person decides whether it goes on"


async def sign_in(served):
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)


@pytest.fixture
async def desk(served):
    """Three actions in a row, of a project without a spec."""
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    await desk.call(served.owner, "create_project", name="Pendesk", key="PEN")
    for number in (1, 2, 3):
        await desk.call(served.owner, "create_task", project_id="PEN", label=f"Task {number}")
    for first in (1, 2):
        ends = {"from_task_id": f"PEN-{first}", "to_task_id": f"PEN-{first + 1}"}
        await desk.call(served.owner, "create_edge", project_id="PEN", **ends)
    await sign_in(served)
    return desk


async def move(served, desk, ref, state):
    await desk.call(served.owner, "update_action", action_id=ref, state=state, reason="So it is.")


async def blocked_places(served):
    texts = {page: (await served.http.get(page)).text for page in PAGES}
    return {page: BLOCKED.findall(text) for page, text in texts.items() if BLOCKED.search(text)}


@pytest.mark.parametrize("first", ["todo", "wont_do"])
@pytest.mark.parametrize("closed", ["done", "wont_do"])
async def test_nothing_that_is_closed_is_blocked_also_after_its_prerequisite_was_reopened_or_dropped(
    served, desk, first, closed
):
    await move(served, desk, "PEN-1", "done")
    await move(served, desk, "PEN-2", closed)
    await move(served, desk, "PEN-3", closed)
    await move(served, desk, "PEN-1", "todo")
    if first != "todo":
        await move(served, desk, "PEN-1", first)
    assert await blocked_places(served) == {}
    share = await desk.call(served.owner, "create_share", project_id="PEN")
    assert not BLOCKED.search((await served.http.get(share["url"])).text)
    board = await desk.call(served.owner, "get_board", project_id="PEN", mark="blocked")
    assert [card["refCode"] for column in board["columns"] for card in column["cards"]] == []
    assert (await desk.call(served.owner, "get_next_task", project_id="PEN"))["blocked"] == []
    assert (await desk.call(served.owner, "get_inbox"))["counts"]["dropped"] == 0


async def test_what_is_open_is_blocked_until_a_person_decides(served, desk):
    await move(served, desk, "PEN-1", "wont_do")
    assert set(await blocked_places(served)) == {
        "/p/PEN",
        "/p/PEN/list",
        "/p/PEN/flow",
        "/search?q=Task",
        *(f"/a/PEN-{n}" for n in (1, 2, 3)),
    }
    flow = (await served.http.get("/p/PEN/flow")).text
    assert f"waits for PEN-1 (won't do: {UNDECIDED})" in flow
    assert UNDECIDED in (await served.http.get("/a/PEN-2")).text
    await desk.call(served.owner, "release_dependents", action_id="PEN-1")
    flow = (await served.http.get("/p/PEN/flow")).text
    assert "waits for PEN-1" not in flow
    assert "waits for PEN-2" in flow
    assert UNDECIDED not in (await served.http.get("/a/PEN-2")).text
