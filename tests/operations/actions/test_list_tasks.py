"""list_tasks: the same rows on both engines, by every filter, in pages."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.actions import list_tasks
from pendesk.store import search, tasks
from tests.refusals import refused
from tests.workbench import next_door, published_spec


async def listed(desk, actor, **filters):
    return (await desk.call(actor, "list_tasks", project_id="PEN", **filters))["tasks"]


async def refs(desk, actor, **filters):
    return [int(row["refCode"].removeprefix("PEN-")) for row in await listed(desk, actor, **filters)]


async def every_page(desk, actor, **filters):
    page = await desk.call(actor, "list_tasks", project_id="PEN", **filters)
    rows = page["tasks"]
    while "nextCursor" in page:
        page = await desk.call(actor, "list_tasks", project_id="PEN", cursor=page["nextCursor"], **filters)
        rows += page["tasks"]
    return [row["refCode"] for row in rows]


async def create(desk, actor, label="x", **more):
    return await desk.call(actor, "create_task", project_id="PEN", label=label, **more)


async def test_a_row_says_what_is_needed_to_choose(desk, ada, project):
    created = await create(desk, ada, "Draw it", description="A long text", priority="high")
    (row,) = await listed(desk, ada)
    assert (row["pid"], row["refCode"], row["label"], row["status"]) == (created["pid"], "PEN-1", "Draw it", "todo")
    assert (row["priority"], row["availability"]) == ("high", "free")
    assert "A long text" not in str(row)
    (short,) = await listed(desk, ada._replace(via="mcp"))
    assert short == {name: value for name, value in row.items() if name != "pid"}


async def test_availability_is_there_where_it_says_more_than_the_status(desk, ada, grace, project):
    for status in ("todo", "done", "backlog", "todo", "todo"):
        await create(desk, ada, status=status)
    await desk.call(grace, "claim_action", action_pid="PEN-4")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id="PEN-5")
    words = [row.get("availability") for row in await listed(desk, ada)]
    assert words == ["free", None, "not_ready", "held", "blocked"]


@pytest.mark.parametrize("status", ["backlog", "scope", "todo", "done"])
async def test_by_status(desk, ada, project, status):
    for initial in ("backlog", "scope", "todo", "done", "done"):
        await create(desk, ada, status=initial)
    rows = await listed(desk, ada, status=status)
    assert {row["status"] for row in rows} == {status}
    assert len(rows) == (2 if status == "done" else 1)


async def test_what_has_changes_requested_is_in_review(desk, ada, project):
    await create(desk, ada)
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "submit_for_review", action_pid="PEN-1", summary="x", pr_url="https://git.example.com/1")
    await desk.call(ada, "review_action", action_pid="PEN-1", verdict="changes_requested", summary="No.")
    (row,) = await listed(desk, ada, status="in_review")
    assert (row["status"], row["availability"]) == ("in_review", "changes_requested")


async def test_by_the_words_of_its_texts(desk, ada, project):
    await create(desk, ada, "Überprüfe the form")
    await create(desk, ada, "Other", description="the FORM again")
    await create(desk, ada, "Nothing", status="done")
    await create(desk, ada, "Form", status="done")
    assert await refs(desk, ada, text="form") == [1, 2, 4]
    assert await refs(desk, ada, text="uberpruf") == [1]
    assert await refs(desk, ada, text="form", status="done") == [4]
    assert await refs(desk, ada, text="absent") == []
    with refused(BadField) as caught:
        await listed(desk, ada, text="…")
    assert caught.refusal.details["field"] == "text"


async def test_the_title_of_its_spec(desk, ada):
    work = await published_spec(desk, ada)
    title = (await desk.call(ada, "get_spec", spec_pid=work.spec_id))["title"]
    assert {row["spec"] for row in await listed(desk, ada)} == {title}


@pytest.mark.parametrize("filters", [{}, {"status": "todo"}, {"text": "word"}, {"text": "word", "status": "todo"}])
async def test_pages_have_every_task_once(desk, ada, project, filters):
    for number in range(PAGE_ROWS + 3):
        await create(desk, ada, f"word {number}")
    await create(desk, ada, "else", status="done")
    count = PAGE_ROWS + (4 if not filters else 3)
    assert await every_page(desk, ada, **filters) == [f"PEN-{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize("common_from", [1, 4])  # by the texts one after the other; by the index
async def test_what_fits_is_found_however_many_others_hold_the_words(desk, ada, project, monkeypatch, common_from):
    monkeypatch.setattr(search, "SEARCH_TEXTS_LOOKED_AT", 3)
    monkeypatch.setattr(search, "SEARCH_COMMON_MATCHES", common_from)
    monkeypatch.setattr(list_tasks, "TASK_MATCHES_LOOKED_AT", 3)
    for number in range(8):
        await create(desk, ada, "word", status="done" if number in (4, 7) else "todo")
    assert await refs(desk, ada, text="word", status="done") == []
    assert await every_page(desk, ada, text="word", status="done") == ["PEN-5", "PEN-8"]
    assert await every_page(desk, ada, text="wor") == [f"PEN-{number}" for number in range(1, 9)]


async def test_a_rare_word_is_found_behind_many_texts_without_it(desk, ada, project, monkeypatch):
    monkeypatch.setattr(search, "SEARCH_TEXTS_LOOKED_AT", 3)
    for number in range(8):
        await create(desk, ada, "lighthouse" if number in (1, 6) else "word")
    assert await refs(desk, ada, text="lighthouse") == [2, 7]


async def test_who_may_see_them(desk, ada, project):
    await create(desk, ada)
    assert await refs(desk, await desk.person("Vera", Role.VIEWER)) == [1]
    with refused(NotFound):
        await desk.call(ada, "list_tasks", project_id="NONE")
    neighbour = await next_door(desk)
    nina = await neighbour.person("Nina")
    with refused(NotFound):
        await neighbour.call(nina, "list_tasks", project_id=project["pid"])


async def test_by_label_and_assignee(desk, ada, grace, project):
    await create(desk, ada, labels=["Bug", "front end"], assignee="Grace", due="2026-12-01")
    await create(desk, ada, labels=["bugs"], assignee="me")
    await create(desk, ada, status="done", labels=["bug"])
    assert await refs(desk, ada, label="BUG") == [1, 3]
    assert await refs(desk, ada, label="bug", status="done") == [3]
    assert await refs(desk, ada, label="b%g") == []
    assert await refs(desk, ada, assignee="grace") == [1]
    assert await refs(desk, ada, assignee="me") == [2]
    assert await refs(desk, ada, assignee="none") == [3]
    assert await refs(desk, ada, assignee="Grace", label="bugs") == []
    assert await refs(desk, ada, assignee="Grace", text="x") == [1]
    (row,) = await listed(desk, ada, assignee="Grace")
    assert (row["assignee"], row["due"], row["labels"]) == ("Grace", "2026-12-01", ["bug", "front end"])
    with refused(BadField) as caught:
        await listed(desk, ada, assignee="Nobody at all")
    assert caught.refusal.details["field"] == "assignee"


async def test_what_is_assigned_to_an_agents_user_is_the_agents_too(desk, ada, grace, project):
    await create(desk, ada, assignee="Grace")
    await create(desk, ada, assignee="me")
    assert await refs(desk, ada._replace(via="mcp"), assignee="me") == [2]


@pytest.mark.parametrize("filters", [{"label": "ui"}, {"assignee": "none"}, {"label": "ui", "status": "done"}])
async def test_where_only_some_are_looked_at_the_cursor_leads_on(desk, ada, project, monkeypatch, filters):
    monkeypatch.setattr(tasks, "TASKS_LOOKED_AT", 2)
    for number in range(7):
        fits = number in (0, 5)
        more = {"labels": ["ui"]} if fits else {"assignee": "me"}
        await create(desk, ada, status="done", **more)
    assert await every_page(desk, ada, **filters) == ["PEN-1", "PEN-6"]


async def test_whoever_has_many_gets_them_in_pages(desk, ada, project):
    created = [(await create(desk, ada, assignee="me"))["refCode"] for _ in range(PAGE_ROWS + 2)]
    await create(desk, ada)
    assert await every_page(desk, ada, assignee="me") == created
