"""The planning tools at the wire: who sees them, what they say of themselves, and that they keep to it."""

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pendesk import clock
from pendesk.domain.access import Scope
from pendesk.operations.registry import BUILDING, DESK
from tests.contract.shapes import NOUN_OF_FIELD, example, fields
from tests.guest_requests import put_item
from tests.other_desk import TOKEN, URL, OtherDesk
from tests.transports.mcp.checked import Checked
from tests.transports.mcp.wire import ERAS, Wire, token_of

NAMES = [operation.name for operation in DESK]
# The contract, in its order; * is required. A tool beyond it stands in DESK alone.
INPUTS = {
    "list_projects": "",
    "get_project": "project_id*",
    "create_project": "name* description",
    "create_task": "project_id* label* status description x y",
    "update_task": "task_id* status label description x y",
    "get_next_task": "project_id*",
    "create_edge": "project_id* from_task_id* to_task_id* label style",
    "create_document": "project_id* title* body linked_task_id parent_id",
    "update_document": "document_id* title body status_line",
    "get_document": "document_id*",
    "list_documents": "project_id*",
    "create_note": "project_id* title* body",
    "update_note": "note_id* title body",
    "get_note": "note_id*",
    "list_notes": "project_id*",
    "list_comments": "project_id* document_id include_resolved",
    "add_comment": "document_id* body* passage",
    "resolve_comment": "comment_id*",
    "start_agent_run": "project_id* label task_id model",
    "record_agent_progress": "run_id* message*",
    "complete_agent_run": "run_id* status* tokens cost",
    "scaffold_project_from_plan": "name* description tasks* edges documents",
    "publish_project": "project_id* server_url* sync_token*",
    "sync_push": "project_id*",
    "sync_pull": "project_id*",
    "list_submissions": "project_id* status",
    "triage_submission": "submission_id* action* as_task",
    "list_tasks": "project_id* status label assignee text cursor",
    "get_task": "task_id*",
    "search": "query* project_id kind status user_pid",
    "remove_edge": "edge_id from_task_id to_task_id",
}
READING = [operation.name for operation in DESK if operation.scope is Scope.DESK_READ]
# Called twice, it changes nothing more. A second scaffold_project_from_plan would create a second project.
REPEATABLE = ["create_edge", "publish_project", "sync_pull", "sync_push", "update_task"]


async def listed(wire: Wire):
    return (await wire.result("tools/list"))["tools"]


@pytest.fixture(params=ERAS)
async def planner(request, served, agent) -> Wire:
    token = await token_of(served, "desk.read", "desk.write", user_pid=agent)
    return Wire(served.http, token, request.param)


async def test_the_order_is_the_contracts():
    assert [name for name in NAMES if name in INPUTS] == list(INPUTS)
    assert (len(BUILDING), len(INPUTS)) == (13, 27 + 4)
    assert {name for name in INPUTS if name.startswith(("list_", "get_", "search"))} == set(INPUTS) & set(READING)


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        ("desk.read desk.write", NAMES),
        ("desk.read", READING),
        ("desk.write", [name for name in NAMES if name not in READING]),
        ("specs.read builds.write desk.read desk.write", [operation.name for operation in BUILDING] + NAMES),
    ],
)
async def test_the_scopes_decide_what_is_seen(served, scopes, names):
    assert [tool["name"] for tool in await listed(Wire(served.http, await token_of(served, *scopes.split())))] == names


async def test_inputs_are_the_contracts(planner):
    for tool in await listed(planner):
        schema = tool["inputSchema"]
        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
        if tool["name"] in INPUTS:
            expected = INPUTS[tool["name"]].split()
            assert {name.rstrip("*") for name in expected} <= set(schema["properties"])
            assert set(schema.get("required", [])) == {name[:-1] for name in expected if name.endswith("*")}


async def test_every_field_is_described(planner):
    for tool in await listed(planner):
        assert tool["title"]
        assert 60 < len(tool["description"]) < 700, tool["name"]
        for name, field in tool["inputSchema"]["properties"].items():
            parts = {**field.get("properties", {}), **field.get("items", {}).get("properties", {}), name: field}
            assert all(part.get("description") for part in parts.values()), f"{tool['name']}.{name}"


async def test_hints_say_that_nothing_is_destroyed_but_an_edge(planner):
    for tool in await listed(planner):
        hints = tool["annotations"]
        is_read = tool["name"] in READING
        assert hints.get("readOnlyHint") is (True if is_read else None)
        # Left out, it means that something may be.
        destroys_nothing = None if is_read or tool["name"] == "remove_edge" else False
        assert hints.get("destructiveHint") is destroys_nothing
        # It makes something public, at an address that its caller names: a client is to ask its person first.
        assert hints.get("openWorldHint") is (None if tool["name"] == "publish_project" else False)
        assert hints.get("idempotentHint") is (True if tool["name"] in REPEATABLE else None), tool["name"]


async def test_no_planning_tool_deletes_anything_but_an_edge():
    assert [name for name in NAMES if name.startswith(("delete", "remove"))] == ["remove_edge"]


@pytest.fixture
async def checked(planner) -> Checked:
    return Checked(planner, await listed(planner))


async def test_every_tool_refuses_within_its_schema(checked):
    nobody = dict.fromkeys(filter(None, NOUN_OF_FIELD.values()), "01900000-0000-7000-8000-000000000000")
    for operation in DESK:
        await checked.refused(operation.name, 422, no_such_field=1)
        if any(field.required and field.noun for field in fields(operation)):
            await checked.refused(operation.name, 404, **example(operation, nobody))
    error = await checked.refused("scaffold_project_from_plan", 422, name="", tasks=[{"key": "a"}])
    assert {fault["field"] for fault in error["faults"]} == {"name", "tasks[0].label"}
    assert checked.called == {name: {True} for name in NAMES}


async def read_tasks(call, ref, in_it):
    rows = (await call("list_tasks", status="not-started", **in_it))["tasks"]
    assert [(row["label"], row["availability"]) for row in rows] == [
        ("A", "free"),
        ("B", "blocked"),
        ("C too", "blocked"),
    ]
    whole = await call("get_task", task_id=ref)
    assert whole["description"] == "Long."
    (first,) = whole["prerequisites"]
    removed = await call("remove_edge", edge_id=first["edgeId"])
    await call("create_edge", from_task_id=removed["fromTaskId"], to_task_id=ref, **in_it)
    assert [match["refCode"] for match in (await call("search", query="too", kind="action", **in_it))["results"]] == [
        ref
    ]


async def test_every_tool_succeeds_within_its_schema(served, checked):
    call = checked.call
    plan = {"tasks": [{"key": "a", "label": "A"}, {"key": "b", "label": "B"}], "edges": [{"from": "a", "to": "b"}]}
    created = await call(
        "scaffold_project_from_plan", name="Shop", documents=[{"title": "Why", "link_to": "a"}], **plan
    )
    in_it = {"project_id": created["pid"]}
    await call("create_project", name="Other")
    assert created["key"] in [project["key"] for project in (await call("list_projects"))["projects"]]
    task = await call("create_task", label="C", description="Long.", **in_it)
    assert task["description"] == "Long."
    await call("update_task", task_id=task["pid"], label="C too")
    await call("create_edge", from_task_id=created["key_to_id"]["b"], to_task_id=task["refCode"], **in_it)
    await read_tasks(call, task["refCode"], in_it)
    following = await call("get_next_task", **in_it)
    assert (following["task"]["label"], following["reason"]) == ("A", "ok")
    first, second = f"{created['key']}-1", f"{created['key']}-2"
    assert [task["waiting_on"] for task in following["blocked"]] == [[first], [second]]
    assert (await call("get_project", **in_it))["counts"] == {"todo": 3}

    document = await call("create_document", title="Design", body="One two three.", **in_it)
    assert (document["body"], "cut" in document) == ("One two three.", False)
    long = await call("create_document", title="Long", body="word " * 200, **in_it)
    assert (len(long["body"]), long["cut"]) == (401, ["body:400"])  # whoever sent it knows the rest
    await call("update_document", document_id=document["pid"], status_line="draft", expected_revision=1)
    assert (await call("get_document", document_id=document["pid"]))["body"] == "One two three."
    assert len((await call("list_documents", **in_it))["documents"]) == 3
    note = await call("create_note", title="Found", body="it", **in_it)
    await call("update_note", note_id=note["pid"], body="it all", expected_revision=1)
    assert (await call("get_note", note_id=note["pid"]))["body"] == "it all"
    assert len((await call("list_notes", **in_it))["notes"]) == 1

    comment = await call("add_comment", document_id=document["pid"], body="Why?", passage="two")
    assert (await call("list_comments", **in_it))["comments"] == [comment]
    assert (await call("resolve_comment", comment_id=comment["pid"]))["resolved"] is True

    run = await call("start_agent_run", task_id=task["pid"], model="a model", **in_it)
    await call("record_agent_progress", run_id=run["pid"], message="Began.")
    ended = await call("complete_agent_run", run_id=run["pid"], status="completed", tokens=9, cost=0.25)
    assert ended["cost"] == 0.25

    served.service.dispatcher.outbound = OtherDesk(served.service.dispatcher, served.owner)
    published = await call("publish_project", server_url=URL, sync_token=TOKEN, **in_it)
    assert "/share/pendesk_shr_" in published["url"]
    assert (await call("sync_push", **in_it))["reason"] == "unchanged"
    assert (await call("sync_pull", **in_it))["received"] == 0

    store, workspace = served.service.dispatcher.store, served.owner.workspace_id
    item = await put_item(store, workspace, created["pid"], "Do it!", "Guest", clock.now_us())
    assert (await call("list_submissions", status="pending", **in_it))["submissions"][0]["pid"] == item
    words = {"label": "Look at it"}
    triaged = await call("triage_submission", submission_id=item, action="accept", as_task=words)
    assert triaged["task"]["status"] == "scope"
    assert checked.called == {name: {False} for name in INPUTS}
