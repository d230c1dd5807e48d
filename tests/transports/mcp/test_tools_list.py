"""What a client is told about the tools."""

import json

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pendesk.operations.registry import BUILDING
from tests.transports.mcp.wire import Wire, token_of

NAMES = [operation.name for operation in BUILDING]
READING = ["list_available_specs", "get_spec", "get_action_brief", "get_attachment_url"]
REPEATABLE = ["claim_action", "release_action", "report_commit"]


async def listed(wire: Wire):
    return (await wire.result("tools/list"))["tools"]


async def test_a_building_agent_sees_the_13_in_their_order(wire):
    assert [tool["name"] for tool in await listed(wire)] == NAMES
    assert len(NAMES) == 13


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        (["specs.read"], READING),
        (["builds.write"], [name for name in NAMES if name not in READING]),
        (["builds.write", "specs.read"], NAMES),
    ],
)
async def test_only_what_the_scopes_allow(served, scopes, names):
    assert [tool["name"] for tool in await listed(Wire(served.http, await token_of(served, *scopes)))] == names


async def test_every_tool_says_all_there_is_to_know(wire):
    for tool in await listed(wire):
        assert tool["title"], tool["name"]
        assert 80 < len(tool["description"]) < 700, tool["name"]


async def test_every_field_is_described_and_no_other_is_taken(wire):
    for tool in await listed(wire):
        schema = tool["inputSchema"]
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        for name, field in schema["properties"].items():
            assert field.get("description"), f"{tool['name']}.{name}"
            for inner, part in field.get("items", {}).get("properties", {}).items():
                assert part.get("description"), f"{tool['name']}.{name}[].{inner}"


async def test_hints_let_clients_run_the_tools_unasked(wire):
    """Codex refuses a tool that may destroy or reach out; a read must say that it is one."""
    for tool in await listed(wire):
        hints = tool["annotations"]
        assert hints.pop("openWorldHint") is False
        if tool["name"] in READING:
            assert hints == {"readOnlyHint": True}
        else:
            assert hints.pop("destructiveHint") is False
            assert hints == ({"idempotentHint": True} if tool["name"] in REPEATABLE else {}), tool["name"]


async def test_output_schemas_are_schemas_of_objects(wire):
    for tool in await listed(wire):
        Draft202012Validator.check_schema(tool["outputSchema"])
        assert tool["outputSchema"]["type"] == "object"
        assert "$ref" not in json.dumps(tool)  # some clients do not follow references


async def test_lists_may_be_cached_in_the_stateless_era_only(wire):
    for method in ("tools/list", "prompts/list"):
        result = await wire.result(method)
        assert ("ttlMs" in result and "cacheScope" in result) is (wire.era == "2026-07-28")
