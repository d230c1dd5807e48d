"""How many actions there are is kept right, whatever is done to them, and folding it changes nothing."""

import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.limits import DAY_US, TALLIED_DAYS
from pendesk.store import projects, tallies
from tests.exchange import exported, import_file
from tests.folding import check_tallies
from tests.workbench import drafted_spec

ROWS = "SELECT kind, day, id, count FROM action_tallies WHERE workspace_id = :workspace ORDER BY kind, day"


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.ADMIN)


@pytest.fixture
async def project(desk, ada):
    return (await desk.call(ada, "create_project", name="Harbour"))["pid"]


async def create_tasks(desk, ada, project, count, **fields):
    rows = [await desk.call(ada, "create_task", project_id=project, label=f"Task {n}", **fields) for n in range(count)]
    return [row["pid"] for row in rows]


async def close(desk, ada, task, status):
    await desk.call(ada, "update_task", task_id=task, status=status, reason="So it is.")


async def fold(desk):
    await desk.store.write(desk.workspace, tallies.fold)


async def rows_of(desk):
    return await desk.store.read(desk.workspace, lambda tx: tx.all(ROWS))


async def counts_of(desk, project):
    return await desk.store.read(desk.workspace, lambda tx: projects.action_counts_by_state(tx, project))


async def test_what_is_made_done_dropped_and_opened_again(desk, ada, project):
    first, second, third = await create_tasks(desk, ada, project, 3)
    await close(desk, ada, first, "done")
    await close(desk, ada, second, "wont_do")
    assert await counts_of(desk, project) == {"todo": 1, "done": 1, "wont_do": 1}
    await close(desk, ada, second, "done")
    await close(desk, ada, first, "todo")
    await close(desk, ada, third, "in_progress")
    assert await counts_of(desk, project) == {"todo": 1, "in_progress": 1, "done": 1}
    await check_tallies(desk)


async def test_what_is_made_as_done_counts_as_both(desk, ada, project):
    await create_tasks(desk, ada, project, 2, status="done")
    assert await counts_of(desk, project) == {"done": 2}
    await check_tallies(desk)


async def test_what_is_deleted_counts_no_more(desk, ada, project):
    done, dropped, _ = await create_tasks(desk, ada, project, 3)
    await close(desk, ada, done, "done")
    await close(desk, ada, dropped, "wont_do")
    desk.clock.forward(3 * DAY_US)
    await desk.call(ada, "delete_action", action_id=done)
    assert await counts_of(desk, project) == {"todo": 1, "wont_do": 1}
    await check_tallies(desk)


async def test_with_a_spec_or_a_project_all_of_it_goes(desk, ada):
    for operation, ident in (("delete_spec", "spec_id"), ("delete_project", "project_id")):
        work = await drafted_spec(desk, ada)
        await desk.call(ada, "update_action", action_id=work.actions[0]["pid"], state="wont_do", reason="No.")
        await desk.call(ada, "update_project", project_id=work.project_id, state="archived")
        await desk.call(ada, operation, **{ident: getattr(work, ident)})
        await check_tallies(desk)


async def test_an_imported_project_is_counted(desk, ada, project):
    first, _ = await create_tasks(desk, ada, project, 2)
    await close(desk, ada, first, "done")
    copy = await import_file(desk, ada, await exported(desk, ada, project), as_copy=True)
    assert await counts_of(desk, copy["pid"]) == {"todo": 1, "done": 1}
    await check_tallies(desk)


async def test_folding_leaves_one_row_a_day_and_every_count(desk, ada, project):
    tasks = await create_tasks(desk, ada, project, 4)
    for task in tasks[:3]:
        await close(desk, ada, task, "done")
    desk.clock.forward(DAY_US)
    await close(desk, ada, tasks[3], "done")
    await close(desk, ada, tasks[0], "todo")
    before = await counts_of(desk, project)
    await fold(desk)
    today = desk.clock() // DAY_US
    assert await rows_of(desk) == [("done", today - 1, "", 3), ("done", today, "", 0), ("made", today - 1, "", 4)]
    assert await counts_of(desk, project) == before
    await close(desk, ada, tasks[1], "todo")
    await fold(desk)
    assert ("done", today, "", -1) in await rows_of(desk)
    await check_tallies(desk)


async def test_what_is_long_past_is_one_row(desk, ada, project):
    await create_tasks(desk, ada, project, 2)
    await fold(desk)
    desk.clock.forward((TALLIED_DAYS + 1) * DAY_US)
    await create_tasks(desk, ada, project, 1)
    await fold(desk)
    assert await rows_of(desk) == [("made", 0, "", 2), ("made", desk.clock() // DAY_US, "", 1)]
    told = await desk.call(ada, "get_insights", days=366)
    assert (told["days"][0]["scope"], told["days"][-1]["scope"]) == (2, 3)


async def test_several_that_fold_at_once_count_nothing_twice(desk, ada, project):
    tasks = await create_tasks(desk, ada, project, 6)
    folding = [fold(desk) for _ in range(4)]
    await asyncio.gather(*folding, *(close(desk, ada, task, "done") for task in tasks))
    await fold(desk)
    assert await counts_of(desk, project) == {"done": 6}
    await check_tallies(desk)


async def test_another_workspace_is_not_counted(desk, ada, project):
    await create_tasks(desk, ada, project, 2)
    assert await desk.store.read("elsewhere", lambda tx: projects.action_counts_by_state(tx, project)) == {}
