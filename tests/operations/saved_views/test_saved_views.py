"""Views of one person and of all: who sees which, who may change them, and what the log has of it."""

import pytest

from pendesk.domain import saved_view
from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, Forbidden, NotFound, RuleBroken
from tests.refusals import refused


@pytest.fixture
async def bo(desk):
    return await desk.person("Bo")


@pytest.fixture
async def project(desk, ada):
    return (await desk.call(ada, "create_project", name="Harbour"))["pid"]


async def names(desk, actor, project):
    return [row["name"] for row in (await desk.call(actor, "list_saved_views", project_id=project))["views"]]


async def kinds(desk, ada):
    events = (await desk.call(ada, "get_timeline"))["events"]
    return [event["kind"] for event in reversed(events) if event["kind"].startswith("view.")]


async def save(desk, actor, project, name, **fields):
    return await desk.call(actor, "create_saved_view", project_id=project, name=name, **fields)


async def test_a_personal_view_is_its_owners_alone_and_no_event_tells_of_it(desk, ada, bo, project):
    view = await save(desk, ada, project, "Mine", query="?assignee=me&shown=todo:100")
    assert (view["query"], view["page"], view["shared"], view["mine"]) == ("assignee=me", "board", False, True)
    assert await names(desk, ada, project) == ["Mine"]
    assert await names(desk, bo, project) == []
    for operation in ("get_saved_view", "update_saved_view", "delete_saved_view"):
        with refused(NotFound):
            await desk.call(bo, operation, view_id=view["pid"])
    await desk.call(ada, "update_saved_view", view_id=view["pid"], name="Mine alone")
    await desk.call(ada, "delete_saved_view", view_id=view["pid"])
    assert await names(desk, ada, project) == []
    assert await kinds(desk, ada) == []


async def test_a_shared_view_is_everybodys_to_change_and_the_log_says_so(desk, ada, bo, project):
    view = await save(desk, ada, project, "Late", page="list", query="due=overdue&state=todo", shared=True)
    seen = await desk.call(bo, "get_saved_view", view_id=view["pid"])
    assert seen == view | {"mine": False, "projectKey": seen["projectKey"]}
    edited = await desk.call(bo, "update_saved_view", view_id=view["pid"], name="Too late", query="due=overdue")
    assert (edited["name"], edited["query"]) == ("Too late", "due=overdue")
    again = await desk.call(bo, "update_saved_view", view_id=view["pid"], name="Too late")  # nothing changes
    assert again == edited
    await desk.call(bo, "delete_saved_view", view_id=view["pid"])
    assert await kinds(desk, ada) == ["view.created", "view.edited", "view.deleted"]


async def test_only_who_saved_a_view_makes_it_personal_again(desk, ada, bo, project):
    view = await save(desk, ada, project, "Late", shared=True)
    with refused(RuleBroken, None, "only who saved it"):
        await desk.call(bo, "update_saved_view", view_id=view["pid"], shared=False)
    await desk.call(ada, "update_saved_view", view_id=view["pid"], shared=False)
    assert await names(desk, bo, project) == []
    assert await kinds(desk, ada) == ["view.created", "view.edited"]


async def test_a_viewer_sees_what_is_shared_and_saves_nothing(desk, ada, project):
    eve = await desk.person("Eve", Role.VIEWER)
    view = await save(desk, ada, project, "Late", shared=True)
    assert await names(desk, eve, project) == ["Late"]
    with refused(Forbidden):
        await save(desk, eve, project, "My own")
    with refused(Forbidden):
        await desk.call(eve, "delete_saved_view", view_id=view["pid"])


async def test_a_person_has_only_so_many_in_a_project(desk, ada, bo, project, monkeypatch):
    monkeypatch.setattr(saved_view, "SAVED_VIEWS", 2)
    for name in ("b", "A"):
        await save(desk, ada, project, name)
    with refused(RuleBroken, None, "Delete one first"):
        await save(desk, ada, project, "c")
    await save(desk, bo, project, "Another's", shared=True)
    assert await names(desk, ada, project) == ["A", "Another's", "b"]


async def test_a_name_is_one_line(desk, ada, project):
    with refused(BadField):
        await save(desk, ada, project, "two\nlines")


async def test_views_go_with_their_project(desk, ada, project):
    view = await save(desk, ada, project, "Late", shared=True)
    owner = await desk.person("Olga", Role.OWNER)
    await desk.call(ada, "update_project", project_id=project, state="archived")
    await desk.call(owner, "delete_project", project_id=project)
    with refused(NotFound):
        await desk.call(ada, "get_saved_view", view_id=view["pid"])
