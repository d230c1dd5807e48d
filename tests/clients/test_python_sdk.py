"""The reference client of the protocol's own Python SDK, in both eras."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

from pendesk.operations.registry import BUILDING
from tests.clients.running import Agent, RunningServer

MODERN, LEGACY = "2026-07-28", "legacy"


@asynccontextmanager
async def connected(server: RunningServer, agent: Agent, mode: str, **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {agent.token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(server.mcp, http_client=http)
        async with Client(transport, mode=mode, **options) as client:
            yield client


@pytest.fixture
def agent(server: RunningServer) -> Agent:
    created = server.agent("SDK")
    server.work(created)
    return created


@pytest.mark.parametrize(("mode", "version"), [(MODERN, MODERN), ("auto", MODERN), (LEGACY, "2025-11-25")])
async def test_list_call_refusal_and_prompts(server: RunningServer, agent: Agent, mode: str, version: str):
    async with connected(server, agent, mode) as client:
        assert client.protocol_version == version
        if mode != MODERN:  # a client that is told the version asks for nothing before its first call
            assert client.server_info is not None
            assert client.server_info.name == "pendesk"
            assert "claim_action" in (client.instructions or "")
        assert [tool.name for tool in (await client.list_tools()).tools] == [operation.name for operation in BUILDING]
        # The client itself holds each result against the tool's output schema.
        claimed = await client.call_tool("claim_action", {"action_pid": "PEN-1"})
        assert claimed.structured_content is not None
        assert claimed.structured_content["status"] == "started"
        refused = await client.call_tool("claim_action", {"action_pid": "PEN-99"})
        assert refused.is_error
        assert refused.structured_content is not None
        assert refused.structured_content["error"]["status"] == 404
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["build", "plan", "review", "draft"]
        result = await client.get_prompt("build", {"action": "PEN-1"})
        assert "PEN-1" in str(result.messages[0].content)


@pytest.mark.parametrize(("action", "status"), [("accept", "answered"), ("decline", "open")])
async def test_a_question_is_put_to_the_user_at_once(server: RunningServer, agent: Agent, action: Any, status: str):
    result = []

    async def user(_context: Any, params: Any) -> ElicitResult:
        result.append(params.message)
        return ElicitResult(action=action, content={"answer": "argon2"} if action == "accept" else None)

    async with connected(server, agent, MODERN, elicitation_callback=user) as client:
        await client.call_tool("claim_action", {"action_pid": "PEN-1"})
        request = await client.call_tool("request_clarification", {"action_pid": "PEN-1", "question": "Which hash?"})
        brief = await client.call_tool("get_action_brief", {"action_pid": "PEN-1"})
    assert result == ["Which hash?"]
    assert request.structured_content is not None
    assert request.structured_content["status"] == status
    assert brief.structured_content is not None
    if action == "accept":
        (answered,) = brief.structured_content["answeredClarifications"]
        assert (answered["answer"], answered["relayed"]) == ("argon2", True)
    else:
        assert [clarification["question"] for clarification in brief.structured_content["openClarifications"]] == [
            "Which hash?"
        ]
