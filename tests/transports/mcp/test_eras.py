"""Two protocol eras on one endpoint, each spoken rightly or refused."""

import base64

import pytest

from tests.transports.mcp.wire import LEGACY, MODERN, PREFIX, Wire, message, meta

SUPPORTED = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26"]


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        *((version, version) for version in SUPPORTED[1:]),
        (MODERN, LEGACY),
        ("2024-11-05", LEGACY),
        ("nonsense", LEGACY),
        (None, LEGACY),
    ],
)
async def test_initialize_settles_on_a_version(modern, requested, expected):
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": requested, "capabilities": {}},
    }
    result = (await modern.post(body)).json()["result"]
    assert result["protocolVersion"] == expected
    assert set(result["capabilities"]) == {"tools", "prompts"}
    assert "submit_for_review" in result["instructions"]


async def test_no_session_is_given_and_none_is_asked_for(wire):
    answer = await wire.ask("tools/list")
    assert "mcp-session-id" not in answer.headers
    answer = await wire.post(
        *message(wire.era, "tools/list")
        if wire.era == MODERN
        else ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {"Mcp-Session-Id": "gone"})
    )
    assert answer.status_code == 200


async def test_legacy_needs_no_version_header(modern):
    answer = await modern.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert len(answer.json()["result"]["tools"]) == 13


async def test_discover_tells_versions_capabilities_and_the_loop(modern):
    result = await modern.result("server/discover")
    assert result["supportedVersions"] == SUPPORTED
    assert set(result["capabilities"]) == {"tools", "prompts"}
    assert result["resultType"] == "complete"
    assert {"ttlMs", "cacheScope", "instructions"} <= set(result)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_both_paths(modern, path):
    body, headers = message(MODERN, "tools/list")
    headers["Authorization"] = f"Bearer {modern.token}"
    assert (await modern.http.post(path, json=body, headers=headers)).status_code == 200


@pytest.mark.parametrize("method", ["initialize", "ping"])
async def test_what_the_stateless_era_dropped_is_unknown_there(modern, method):
    answer = await modern.ask(method)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601)


async def test_an_unknown_method(wire):
    answer = await wire.ask("tools/destroy")
    assert answer.status_code == (404 if wire.era == MODERN else 200)
    assert answer.json()["error"]["code"] == -32601


async def test_ping_answers_in_the_older_era(modern):
    assert await Wire(modern.http, modern.token, LEGACY).result("ping") == {}


@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
async def test_an_unknown_name_is_a_protocol_error(wire, method):
    answer = await wire.ask(method, name="no_such_thing")
    assert answer.status_code == 200
    assert answer.json()["error"]["code"] == -32602
    assert "no_such_thing" in answer.json()["error"]["message"]


async def test_a_name_that_is_missing_is_a_protocol_error(wire):
    body, headers = message(wire.era, "tools/call", arguments={})
    answer = await wire.post(body, headers)
    assert answer.json()["error"]["code"] in (-32602, -32020)
    assert answer.json()["id"] == 1


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"MCP-Protocol-Version": ""}, -32020),
        ({"MCP-Protocol-Version": "2025-11-25"}, -32020),
        ({"Mcp-Method": ""}, -32020),
        ({"Mcp-Method": "tools/list"}, -32020),
        ({"Mcp-Method": "TOOLS/CALL"}, -32020),
        ({"Mcp-Name": ""}, -32020),
        ({"Mcp-Name": "claim_action"}, -32020),
        ({"Mcp-Name": "=?base64?bm9uc2Vuc2U=?="}, -32020),
        ({"Mcp-Name": "=?base64?!!!?="}, -32020),
    ],
)
async def test_headers_must_equal_the_body(modern, changed, code):
    body, headers = message(MODERN, "tools/call", name="list_available_specs")
    headers = {name: value for name, value in (headers | changed).items() if value}
    answer = await modern.post(body, headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


async def test_a_name_may_come_in_base64(modern):
    body, headers = message(MODERN, "tools/call", name="list_available_specs")
    headers["Mcp-Name"] = f"=?base64?{base64.b64encode(b'list_available_specs').decode()}?="
    assert (await modern.post(body, headers)).status_code == 200


@pytest.mark.parametrize("version", ["2024-11-05", "2026-07-29", "x" * 200])
@pytest.mark.parametrize("where", ["both", "header"])
async def test_a_version_that_is_not_spoken(modern, version, where):
    body, headers = message(MODERN, "tools/list")
    headers["MCP-Protocol-Version"] = version
    if where == "both":
        body["params"]["_meta"][f"{PREFIX}protocolVersion"] = version
    else:
        del body["params"]["_meta"]
    answer = await modern.post(body, headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32022
    assert answer.json()["error"]["data"] == {"supported": SUPPORTED, "requested": version}


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities", "all of it"])
async def test_a_request_of_the_stateless_era_introduces_itself(modern, missing):
    body, headers = message(MODERN, "tools/list")
    body["params"]["_meta"].pop(f"{PREFIX}{missing}", None)
    if missing == "all of it":
        del body["params"]
    answer = await modern.post(body, headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
    assert answer.json()["id"] == 1


async def test_a_legacy_version_in_meta_is_not_the_stateless_era(modern):
    body, headers = message(MODERN, "tools/list")
    headers["MCP-Protocol-Version"] = body["params"]["_meta"][f"{PREFIX}protocolVersion"] = LEGACY
    answer = await modern.post(body, headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)


async def test_prompts_in_both_eras(wire):
    prompts = (await wire.result("prompts/list"))["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["build", "plan", "review", "draft"]
    for prompt in prompts:
        for argument in prompt["arguments"]:
            assert argument["description"]
            result = await wire.result("prompts/get", name=prompt["name"], arguments={argument["name"]: "PEN-12"})
            assert "PEN-12" in result["messages"][0]["content"]["text"]
        bare = await wire.result("prompts/get", name=prompt["name"])
        assert "PEN-12" not in bare["messages"][0]["content"]["text"]
    answer = await wire.ask("prompts/get", name="build", arguments={"action": 7})
    assert answer.json()["error"]["code"] == -32602


def test_meta_names_the_modern_era():
    assert meta()[f"{PREFIX}protocolVersion"] == MODERN
