"""The drafting tools at the wire: who sees them, in which order, and the walk from a draft to its decision."""

import pytest

from pendesk.domain.access import PLANNING_SCOPES, TOKEN_SCOPES
from pendesk.operations.registry import BUILDING, DESK, DRAFTING
from pendesk.transports.mcp.prompts import instructions_for_scopes
from tests.transports.mcp.wire import ERAS, Wire, token_of

NAMES = ["draft_spec", "draft_plan", "get_draft"]


async def names_seen(served, scopes):
    wire = Wire(served.http, await token_of(served, *sorted(scopes)))
    return [tool["name"] for tool in (await wire.result("tools/list"))["tools"]]


async def test_only_the_scope_of_drafting_shows_them(served):
    assert [operation.name for operation in DRAFTING] == NAMES
    assert await names_seen(served, {"specs.write"}) == NAMES
    everything = [operation.name for operation in [*BUILDING, *DESK, *DRAFTING]]
    assert await names_seen(served, TOKEN_SCOPES) == everything
    assert await names_seen(served, TOKEN_SCOPES - {"specs.write"}) == everything[: -len(NAMES)]


async def test_every_field_is_described_and_reading_says_so(served):
    wire = Wire(served.http, await token_of(served, "specs.write"))
    for tool in (await wire.result("tools/list"))["tools"]:
        for name, field in tool["inputSchema"]["properties"].items():
            assert field.get("description"), f"{tool['name']}.{name}"
        assert tool["annotations"].get("readOnlyHint", False) is (tool["name"] == "get_draft")
        assert tool["annotations"].get("destructiveHint", False) is False


def test_the_instructions_name_them_only_to_who_has_them():
    assert "draft_plan" in instructions_for_scopes(PLANNING_SCOPES)
    assert "draft_plan" not in instructions_for_scopes(TOKEN_SCOPES - {"specs.write"})


@pytest.mark.parametrize("era", ERAS)
async def test_a_draft_from_its_making_to_its_decision(served, era):
    person = served.owner
    call = served.service.dispatcher.call
    project = await call(person, "create_project", {"name": "Harbour"})
    wire = Wire(served.http, await token_of(served, "desk.read", "specs.write"), era)

    async def tool(name, **arguments):
        result = await wire.result("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    draft = await tool("draft_spec", project_id=project.pid, title="Tides", results=["High water is shown"])
    assert f"/proposals/{draft['pid']}" in draft["next_step"]
    decision = {"draft_id": draft["pid"], "verdict": "accept", "remark": "Good."}
    items = [{"id": "results.1", "accept": True, "text": "High and low water are shown"}]
    await call(person, "decide_proposal", {**decision, "items": items})
    read = await tool("get_draft", draft_id=draft["pid"])
    assert (read["state"], read["remark"]) == ("accepted", "Good.")
    assert [(item["id"], item["decision"]) for item in read["items"]] == [
        ("title", "accepted"),
        ("results.1", "edited"),
    ]
    present = await tool("get_draft", spec_id=read["specId"])
    assert present["spec"]["results"] == ["High and low water are shown"]
