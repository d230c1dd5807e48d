"""Projects and goals."""

import pytest

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, MissingScope, NotFound, RevisionConflict, RoleForbids, RuleBroken
from pendesk.domain.limits import PAGE_ROWS, PROJECT_GOALS
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import next_door


async def test_a_project_gets_a_key_from_its_name(desk, ada):
    project = await desk.call(ada, "create_project", name="Open Source Work")
    assert (project["key"], project["state"], project["revision"]) == ("OSW", "active", 1)


async def test_a_second_project_of_the_same_name_gets_another_key(desk, ada, project):
    second = await desk.call(ada, "create_project", name="Pendesk")
    assert (project["key"], second["key"]) == ("PEN", "PEN2")


async def test_a_key_may_be_chosen(desk, ada):
    project = await desk.call(ada, "create_project", name="Pendesk", key="desk")
    assert project["key"] == "DESK"


@pytest.mark.parametrize("key", ["A", "1AB", "TOOLONGAKEY", "A-B", "ÄB", ""])
async def test_a_malformed_key_is_refused_by_name(desk, ada, key):
    with refused(BadField) as caught:
        await desk.call(ada, "create_project", name="Pendesk", key=key)
    assert caught.refusal.details["field"] == "key"


async def test_a_taken_key_is_refused(desk, ada, project):
    with refused(RuleBroken, "key_taken"):
        await desk.call(ada, "create_project", name="Another", key="PEN")


async def test_the_same_key_may_exist_in_another_workspace(desk, ada, project):
    other = await next_door(desk)
    stranger = await other.person("Eve")
    assert (await other.call(stranger, "create_project", name="Pendesk"))["key"] == "PEN"
    assert (await other.call(stranger, "get_project", project_id="PEN"))["pid"] != project["pid"]
    with refused(NotFound):
        await other.call(stranger, "get_project", project_id=project["pid"])


async def test_a_project_is_read_by_pid_or_key_with_counts_by_state(desk, ada, project):
    for state in ("todo", "todo", "backlog"):
        await desk.call(ada, "create_action", project_id="pen", label="A task", state=state)
    for name in ("PEN", "pen", project["pid"], project["pid"].upper()):
        read = await desk.call(ada, "get_project", project_id=name)
        assert (read["pid"], read["counts"]) == (project["pid"], {"todo": 2, "backlog": 1})


@pytest.mark.parametrize("name", ["NOPE", "0190a000-0000-7000-8000-000000000000", "PEN-1", "%", "PEN'--"])
async def test_what_is_not_there_is_not_found(desk, ada, project, name):
    with refused(NotFound):
        await desk.call(ada, "get_project", project_id=name)


async def test_an_edit_changes_what_was_given_and_says_so_in_the_log(desk, ada, project):
    edited = await desk.call(ada, "update_project", project_id="PEN", description="New", state="paused")
    assert (edited["name"], edited["description"], edited["state"]) == ("Pendesk", "New", "paused")
    assert edited["revision"] == 2
    (event,) = await events_of(desk, ada, "project.edited")
    assert event["data"]["before"] == {"description": "", "state": "active"}
    assert event["data"]["after"] == {"description": "New", "state": "paused"}


async def test_a_repository_is_set_and_cleared(desk, ada, project):
    url = "https://example.com/pendesk.git"
    assert (await desk.call(ada, "update_project", project_id="PEN", repository_url=url))["repositoryUrl"] == url
    assert (await desk.call(ada, "update_project", project_id="PEN", repository_url=""))["repositoryUrl"] is None


async def test_an_edit_that_changes_nothing_keeps_the_revision(desk, ada, project):
    edited = await desk.call(ada, "update_project", project_id="PEN", name="Pendesk")
    assert edited["revision"] == 1
    assert await events_of(desk, ada, "project.edited") == []


async def test_an_edit_of_an_old_revision_is_refused(desk, ada, project):
    await desk.call(ada, "update_project", project_id="PEN", name="Penling")
    with refused(RevisionConflict) as caught:
        await desk.call(ada, "update_project", project_id="PEN", description="x", expected_revision=1)
    assert caught.refusal.details["changed"] == {"name": "Penling"}


async def test_projects_are_listed_in_pages(desk, ada):
    pids = [
        (await desk.call(ada, "create_project", name="Pendesk", description="d" * 1000))["pid"]
        for _ in range(PAGE_ROWS + 1)
    ]
    first = await desk.call(ada, "list_projects")
    rest = await desk.call(ada, "list_projects", cursor=first["nextCursor"])
    assert sorted(project["pid"] for project in first["projects"] + rest["projects"]) == sorted(pids)
    assert len(first["projects"]) == PAGE_ROWS
    assert "nextCursor" not in rest
    assert max(len(item["description"]) for item in first["projects"]) < 1000


async def test_a_cursor_that_is_none_is_refused(desk, ada):
    with refused(BadField):
        await desk.call(ada, "list_projects", cursor="x")


async def test_a_viewer_reads_but_does_not_write(desk, project):
    viewer = await desk.person("Vera", Role.VIEWER)
    await desk.call(viewer, "get_project", project_id="PEN")
    with refused(RoleForbids):
        await desk.call(viewer, "update_project", project_id="PEN", name="Mine")


async def test_a_building_token_does_not_plan(desk, project):
    agent = await desk.person("Bot", scopes=frozenset({Scope.SPECS_READ, Scope.BUILDS_WRITE}))
    with refused(MissingScope):
        await desk.call(agent, "list_projects")
    with refused(MissingScope):
        await desk.call(agent, "create_project", name="Mine")


async def test_the_same_key_and_body_make_one_project(desk, ada):
    once = await desk.call(ada, "create_project", name="Pendesk", idempotency_key="k1")
    project = await desk.call(ada, "create_project", name="Pendesk", idempotency_key="k1")
    assert once == project
    assert len((await desk.call(ada, "list_projects"))["projects"]) == 1


async def test_goals_come_with_their_project_in_order(desk, ada, project):
    first = await desk.call(ada, "create_goal", project_id="PEN", title="Usable")
    second = await desk.call(ada, "create_goal", project_id="PEN", title="Fast")
    await desk.call(ada, "update_goal", goal_id=first["pid"], position=9, title="Useful")
    goals = (await desk.call(ada, "get_project", project_id="PEN"))["goals"]
    assert [(goal["pid"], goal["title"]) for goal in goals] == [(second["pid"], "Fast"), (first["pid"], "Useful")]


async def test_a_goal_edited_meanwhile_is_a_conflict(desk, ada, project):
    goal = await desk.call(ada, "create_goal", project_id="PEN", title="Usable")
    await desk.call(ada, "update_goal", goal_id=goal["pid"], title="Useful", expected_revision=1)
    with refused(RevisionConflict):
        await desk.call(ada, "update_goal", goal_id=goal["pid"], title="Used", expected_revision=1)


async def test_goals_are_bounded(desk, ada, project):
    for number in range(PROJECT_GOALS):
        await desk.call(ada, "create_goal", project_id="PEN", title=f"Goal {number}")
    with refused(RuleBroken, "too_many"):
        await desk.call(ada, "create_goal", project_id="PEN", title="One more")


async def test_an_unknown_goal_is_not_found(desk, ada, project):
    with refused(NotFound):
        await desk.call(ada, "update_goal", goal_id="PEN", title="x")
