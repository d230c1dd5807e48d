"""Deleting by people: what goes with it, what is refused and why, and what can be read afterwards."""

import asyncio
import threading
from pathlib import Path

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound, RoleForbids, RuleBroken
from pendesk.store import purge, text_refs
from tests.contract.test_bad_input import furnish
from tests.desk import TestDesk
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.ADMIN)


@pytest.fixture
async def project(desk, ada):
    return (await desk.call(ada, "create_project", name="Harbour", key="HRB"))["pid"]


async def last_event(desk, actor):
    return (await desk.call(actor, "list_events"))["events"][-1]


async def rows(desk, table, **where):
    result = "".join(f" AND {name} = :{name}" for name in where)
    sql = f"SELECT count(*) FROM {table} WHERE workspace_id = :workspace{result}"
    return (await desk.store.read(desk.workspace, lambda tx: tx.one(sql, **where)))[0]


async def test_a_task_goes_with_its_criteria_and_edges(desk, ada, project):
    first = await desk.call(ada, "create_action", project_id=project, label="First", criteria=["It holds"])
    second = await desk.call(ada, "create_action", project_id=project, label="Second", prerequisites=[first["pid"]])
    document = await desk.call(ada, "create_document", project_id=project, title="Doc", linked_task_id=first["pid"])
    await desk.call(ada, "delete_action", action_id="HRB-1")
    with refused(NotFound):
        await desk.call(ada, "get_action", action_id=first["pid"])
    assert (await desk.call(ada, "get_action", action_id=second["pid"]))["prerequisites"] == []
    assert (await desk.call(ada, "get_document", document_id=document["pid"]))["linkedTaskId"] is None
    assert (await desk.call(ada, "search", query="First"))["results"] == []
    with refused(NotFound):
        await desk.call(ada, "list_revisions", object_id=first["pid"])
    event = await last_event(desk, ada)
    assert (event["kind"], event["objectId"], event["data"]["label"]) == ("action.deleted", first["pid"], "First")


async def test_a_ref_code_is_never_given_out_again(desk, ada, project):
    await desk.call(ada, "create_task", project_id=project, label="First")
    await desk.call(ada, "delete_action", action_id="HRB-1")
    assert (await desk.call(ada, "create_task", project_id=project, label="Next"))["refCode"] == "HRB-2"


async def test_what_was_claimed_or_published_is_kept(desk, ada, project):
    task = await desk.call(ada, "create_task", project_id=project, label="Plain")
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    await desk.call(ada, "release_action", action_pid=task["pid"])
    work = await published_spec(desk, ada)
    for pid in (task["pid"], work.actions[0]["pid"]):
        with refused(RuleBroken, "in_use") as caught:
            await desk.call(ada, "delete_action", action_id=pid)
        assert "wont_do" in caught.refusal.message
    with refused(RuleBroken, "in_use"):
        await desk.call(ada, "delete_spec", spec_id=work.spec_id)
    with refused(RuleBroken, "in_use"):
        await desk.call(ada, "delete_plan", plan_id=work.plan_id)


async def test_a_draft_of_a_spec_goes_with_all_that_is_in_it(desk, ada):
    work = await drafted_spec(desk, ada, chain=True)
    await desk.call(ada, "delete_spec", spec_id=work.spec_id)
    for name, field in (("get_spec_draft", {"spec_id": work.spec_id}), ("update_plan", {"plan_id": work.plan_id})):
        with refused(NotFound):
            await desk.call(ada, name, **field)
    assert await rows(desk, "actions", project_id=work.project_id) == 0
    assert (await last_event(desk, ada))["data"] == {"title": "Sign in"}


async def test_a_draft_of_a_plan_goes_with_its_actions_and_the_active_one_stays(desk, ada):
    work = await drafted_spec(desk, ada)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Plan B")
    await desk.call(ada, "create_action", plan_id=other["pid"], label="Otherwise")
    await desk.call(ada, "delete_plan", plan_id=other["pid"])
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    assert [plan["pid"] for plan in draft["plans"]] == [work.plan_id]
    with refused(RuleBroken, "in_use"):
        await desk.call(ada, "delete_plan", plan_id=work.plan_id)


async def test_documents_below_a_deleted_one_move_up(desk, ada, project):
    top = await desk.call(ada, "create_document", project_id=project, title="Top")
    middle = await desk.call(ada, "create_document", project_id=project, title="Middle", parent_id=top["pid"])
    below = await desk.call(ada, "create_document", project_id=project, title="Below", parent_id=middle["pid"])
    await desk.call(ada, "add_comment", document_id=middle["pid"], body="Hm")
    await desk.call(ada, "delete_document", document_id=middle["pid"])
    assert (await desk.call(ada, "get_document", document_id=below["pid"]))["parentId"] == top["pid"]
    assert (await desk.call(ada, "list_comments", project_id=project))["comments"] == []


async def test_a_note_goes_with_its_revisions(desk, ada, project):
    note = await desk.call(ada, "create_note", project_id=project, title="Tides", body="Secret")
    await desk.call(ada, "delete_note", note_id=note["pid"])
    with refused(NotFound):
        await desk.call(ada, "delete_note", note_id=note["pid"])
    assert await rows(desk, "revisions", object_id=note["pid"]) == 0


async def test_a_comment_is_deleted_by_its_author_or_an_admin(desk, ada, project):
    bob, eve = await desk.person("Bob"), await desk.person("Eve")
    document = await desk.call(ada, "create_document", project_id=project, title="Doc")
    mine, theirs = [
        (await desk.call(bob, "add_comment", document_id=document["pid"], body=body))["pid"] for body in ("a", "b")
    ]
    with refused(RoleForbids):
        await desk.call(eve, "delete_comment", comment_id=mine)
    await desk.call(bob, "delete_comment", comment_id=mine)
    await desk.call(ada, "delete_comment", comment_id=theirs)
    assert (await desk.call(ada, "list_comments", project_id=project))["comments"] == []


async def test_a_goal_is_deleted_once_no_spec_belongs_to_it(desk, ada, project):
    goal = (await desk.call(ada, "create_goal", project_id=project, title="Calm"))["pid"]
    spec = await desk.call(ada, "create_spec", project_id=project, title="Tides", goal_id=goal)
    with refused(RuleBroken, "in_use"):
        await desk.call(ada, "delete_goal", goal_id=goal)
    await desk.call(ada, "update_spec", spec_id=spec["pid"], goal_id="")
    await desk.call(ada, "delete_goal", goal_id=goal)
    assert (
        "goals" not in await desk.call(ada, "get_project", project_id=project)
        or not (await desk.call(ada, "get_project", project_id=project))["goals"]
    )


async def test_a_project_is_deleted_in_two_steps_with_everything_in_it(desk):
    home = TestDesk(desk.store, desk.clock)
    owner, ids = await furnish(home, "Homely")
    project = {"project_id": ids["project"]}
    await home.call(owner, "update_project", repository_url="https://github.com/example/desk", **project)
    await home.call(owner, "set_github_webhook", **project)
    await home.call(owner, "report_commit", action_pid=ids["action"], sha="a" * 40, message="Do it")
    with refused(RuleBroken, "not_archived"):
        await home.call(owner, "delete_project", **project)
    await home.call(owner, "update_project", state="archived", **project)
    with refused(RuleBroken, "in_use"):
        await home.call(owner, "delete_project", **project)
    await home.call(owner, "release_action", action_pid=ids["action"])
    await home.call(owner, "delete_project", **project)
    assert (await home.call(owner, "list_projects"))["projects"] == []
    assert {table: await rows(home, table) for table in OF_PROJECTS} == dict.fromkeys(OF_PROJECTS, 0)
    page = await home.call(owner, "list_events", after=0)
    assert any(event["kind"] == "project.created" for event in page["events"])
    assert (await home.call(owner, "get_timeline"))["events"]


# Every table that holds what a project may have; all of it is the one project's there.
OF_PROJECTS = [
    *("projects", "goals", "specs", "participants", "plans", "actions", "criteria", "edges", "builds", "build_actions"),
    *("claims", "clarifications", "commits", "commit_actions", "commit_criteria", "test_results", "checks", "evidence"),
    *(
        "submissions",
        "unmet_criteria",
        "reviews",
        "review_verdicts",
        "review_items",
        "documents",
        "notes",
        "comments",
        "agent_runs",
    ),
    *("attachments", "shares", "inbox_items", "github_webhooks", "pull_requests", "search_texts", "publications"),
    "revisions",
]


async def test_nothing_that_refers_to_a_project_is_forgotten(desk):
    """A new table that refers to one of these must be emptied in store/purge.py, or no project can be deleted."""
    if desk.store.engine != "sqlite":
        return  # the schema is one text for both

    def referring(tx):
        tables = [row[0] for row in tx.all("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {(name, row[2]) for name in tables for row in tx.all(f"SELECT * FROM pragma_foreign_key_list('{name}')")}

    purged = Path(purge.__file__).read_text()
    for table, target in await desk.store.read("", referring):
        if target in OF_PROJECTS:
            assert f'"{table}"' in purged or f"FROM {table} " in purged, f"{table} refers to {target}"


async def test_another_project_is_left_alone(desk, ada):
    result = await published_spec(desk, ada)
    gone = await published_spec(desk, ada)
    await desk.call(ada, "update_project", project_id=gone.project_id, state="archived")
    await desk.call(ada, "delete_project", project_id=gone.project_id)
    assert len((await desk.call(ada, "get_spec_draft", spec_id=result.spec_id))["actions"]) == 2
    assert len((await desk.call(ada, "list_builds", spec_id=result.spec_id))["builds"]) == 1


async def test_only_admins_delete_a_project(desk, project):
    bob = await desk.person("Bob", Role.MEMBER)
    with refused(RoleForbids):
        await desk.call(bob, "delete_project", project_id=project)


async def test_who_adds_while_it_goes_is_told_that_it_is_gone(desk, ada, project):
    """Each adds before, and goes with it, or comes too late; nobody meets a fault."""
    await desk.call(ada, "update_project", project_id=project, state="archived")
    document = await desk.call(ada, "create_document", project_id=project, title="Doc")
    adding = [
        *(desk.call(ada, "create_note", project_id=project, title=f"{number}") for number in range(6)),
        *(desk.call(ada, "add_comment", document_id=document["pid"], body=f"{number}") for number in range(6)),
        *(desk.call(ada, "create_task", project_id=project, label=f"{number}") for number in range(6)),
    ]
    deleting = [desk.call(ada, "delete_project", project_id=project) for _ in range(2)]
    result = await asyncio.gather(*adding[::2], *deleting, *adding[1::2], return_exceptions=True)
    assert {type(item) for item in result} <= {dict, NotFound}
    assert await rows(desk, "notes") == await rows(desk, "comments") == await rows(desk, "actions") == 0


async def test_who_found_it_just_before_it_went_is_told_too(desk, ada, project, monkeypatch):
    if desk.store.engine == "sqlite":
        return  # one writer at a time: nobody finds it and adds to it around another's deletion
    matches, gone, allocate = threading.Event(), threading.Event(), text_refs.allocate_number

    def allocate_late(tx, kind, project_id):
        matches.set()
        assert gone.wait(60)
        return allocate(tx, kind, project_id)

    monkeypatch.setattr(text_refs, "allocate_number", allocate_late)
    await desk.call(ada, "update_project", project_id=project, state="archived")
    adding = asyncio.create_task(desk.call(ada, "create_note", project_id=project, title="Late"))
    assert await asyncio.to_thread(matches.wait, 60)
    await desk.call(ada, "delete_project", project_id=project)
    gone.set()
    with refused(NotFound):
        await adding
