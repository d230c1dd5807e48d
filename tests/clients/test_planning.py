"""Every planning tool in each client, with the client's own approval rules, and in the SDK's client in both eras."""

from typing import Any

import httpx
import pytest
from mcp.types import TextContent

from pendesk import clock
from pendesk.operations.registry import DESK, TOOLS
from tests.clients.agents import play, step
from tests.clients.drive.scripted_model import Step, ToolResult, fill
from tests.clients.running import Agent, Office, RunningServer
from tests.clients.test_python_sdk import LEGACY, MODERN, connected
from tests.guest_requests import put_item

NAMES = {operation.name for operation in DESK}
PUBLISHING = {"publish_project", "sync_push", "sync_pull"}
DESK_SCOPES = ("desk.read", "desk.write")


@pytest.fixture
def item(server: RunningServer) -> str:
    """A guest's item in the project INB."""
    project = server.person("create_project", name="Inbox", key="INB")["pid"]

    async def put(office: Office) -> str:
        store, workspace = office.service.dispatcher.store, office.owner.workspace_id
        return await put_item(store, workspace, project, "Make it blue.", "Guest", clock.now_us())

    return server.in_office(put)


def steps(item: str, url: str = "", token: str = "") -> list[Step]:
    """Each tool once; what comes later uses what earlier answers gave. The server publishes on itself."""
    project = {"project_id": "$1.pid"}
    return [
        step(
            "scaffold_project_from_plan",
            name="Shop",
            tasks=[{"key": "db", "label": "Add a table"}, {"key": "api", "label": "Serve it"}],
            edges=[{"from": "db", "to": "api"}],
            documents=[{"title": "Why", "body": "Because.", "link_to": "db"}],
        ),
        step("list_projects"),
        step("create_project", name="Other"),
        step("create_task", label="Paint it", status="backlog", **project),
        step("update_task", task_id="$4.pid", status="todo", description="*Blue*"),
        step("create_edge", from_task_id="$1.key_to_id.api", to_task_id="$4.refCode", **project),
        step("get_next_task", **project),
        step("create_document", title="Design", body="One two three.", **project),
        step("update_document", document_id="$8.pid", status_line="draft", expected_revision=1),
        step("add_comment", document_id="$8.pid", body="Why two?", passage="two"),
        step("list_comments", **project),
        step("resolve_comment", comment_id="$10.pid"),
        step("get_document", document_id="$8.pid"),
        step("list_documents", **project),
        step("create_note", title="Found", body="it", **project),
        step("update_note", note_id="$15.pid", body="it all", expected_revision=1),
        step("get_note", note_id="$15.pid"),
        step("list_notes", **project),
        step("start_agent_run", task_id="$7.task.pid", model="scripted", **project),
        step("record_agent_progress", run_id="$19.pid", message="Added it."),
        step("complete_agent_run", run_id="$19.pid", status="completed", tokens=1200, cost=0.05),
        step("get_project", **project),
        step("publish_project", server_url=url, sync_token=token, **project),
        step("sync_push", **project),
        step("sync_pull", **project),
        step("list_submissions", project_id="INB", status="pending"),
        step("triage_submission", submission_id=item, action="accept", as_task={"label": "Paint it blue"}),
        step("list_tasks", status="todo", **project),
        step("get_task", task_id="$4.refCode"),
        step("search", query="paint"),
        step("remove_edge", from_task_id="$1.key_to_id.api", to_task_id="$4.refCode"),
    ]


def check(script: list[Step], answers: list[dict[str, Any]]) -> None:
    assert not [answer for answer in answers if "error" in answer]
    results_by_tool = dict(zip((step.tool for step in script), answers, strict=True))
    assert results_by_tool["get_next_task"]["task"]["label"] == "Add a table"
    assert results_by_tool["list_comments"]["comments"][0]["passageStart"] == 4
    assert results_by_tool["get_document"]["statusLine"] == "draft"
    assert results_by_tool["get_note"]["body"] == "it all"
    assert results_by_tool["get_project"]["counts"] == {"todo": 3}
    assert results_by_tool["get_project"]["agentRuns"][0]["cost"] == 0.05
    if "publish_project" in results_by_tool:
        assert "/share/pendesk_shr_" in results_by_tool["publish_project"]["url"]
        assert results_by_tool["sync_push"]["reason"] == "unchanged"
        assert results_by_tool["sync_pull"]["received"] == 0
    assert results_by_tool["triage_submission"]["task"]["status"] == "scope"
    assert len(results_by_tool["list_tasks"]["tasks"]) == 3
    assert results_by_tool["get_task"]["description"] == "*Blue*"
    assert results_by_tool["search"]["results"]


def test_the_script_has_them_all():
    assert {step.tool for step in steps("")} == NAMES


def test_a_planning_agent_uses_every_tool(server: RunningServer, client: str, item: str):
    agent = server.agent("Planner", *DESK_SCOPES)
    script = steps(item, server.url, agent.token)
    if client == "codex":
        script = [step for step in script if step.tool not in {*PUBLISHING, "remove_edge"}]  # it asks its person first
    played = play(client, server, agent, script)
    assert played.tools == NAMES
    check(script, played.answers)


def test_codex_asks_its_person_before_it_publishes(server: RunningServer):
    """What makes a project public says so. Codex with nobody to ask refuses it; it pushes and pulls unasked."""
    agent = server.agent("Planner", *DESK_SCOPES)
    project = server.person("create_project", name="Shop", key="SHO")["pid"]
    args = {"project_id": project, "server_url": server.url, "sync_token": agent.token}
    with pytest.raises(AssertionError, match="requires approval"):
        play("codex", server, agent, [step("publish_project", **args)])
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "publish_project", "arguments": args},
    }
    httpx.post(server.mcp, json=call, headers={"authorization": f"Bearer {agent.token}"}).raise_for_status()
    played = play("codex", server, agent, [step("sync_push", project_id="SHO"), step("sync_pull", project_id="SHO")])
    assert [played.answers[0]["reason"], played.answers[1]["received"]] == ["unchanged", 0]


@pytest.fixture
def both(server: RunningServer) -> Agent:
    return server.agent("Both", "specs.read", "builds.write", *DESK_SCOPES, "specs.write")


@pytest.mark.parametrize("mode", [MODERN, LEGACY])
async def test_the_sdks_client_accepts_every_answer(server: RunningServer, item: str, both: Agent, mode: str):
    results: list[ToolResult] = []
    async with connected(server, both, mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [step.name for step in TOOLS]
        for number, step in enumerate(steps(item, server.url, both.token), 1):
            result = await client.call_tool(step.tool, fill(step.args, results))
            assert isinstance(result.content[0], TextContent)
            results.append(ToolResult(number, "", result.content[0].text, result.is_error))
    check(steps(item), [result.json for result in results])
