"""Three terminals of one token over the port: each reads what was decided about its own work, by the protocol's SDK."""

import asyncio
from typing import Any

import pytest
from mcp import Client

from tests.clients.running import Agent, Office, RunningServer
from tests.clients.test_agent_sessions import sdk_terminal
from tests.clients.test_python_sdk import LEGACY, MODERN
from tests.workbench import Work

SHA = "a" * 40
APPROVED = "PEN-1 was approved by {person}. Fine."
CHANGES = "{person} requested changes on PEN-2; get_action_brief lists them. Not yet."


@pytest.fixture
def agent(server: RunningServer) -> Agent:
    return server.agent("Terminals")


@pytest.fixture
def work(server: RunningServer, agent: Agent) -> Work:
    return server.work(agent, actions=4, criteria=1)


async def call(client: Client, tool: str, **args: Any) -> dict[str, Any]:
    answer: dict[str, Any] | None = (await client.call_tool(tool, args)).structured_content
    assert answer is not None
    assert "error" not in answer, answer
    return answer


async def build(client: Client, ref: str) -> None:
    await call(client, "claim_action", action_pid=ref)
    await call(client, "submit_for_review", action_pid=ref, branch="main", head_sha=SHA, summary="Built.")


def name_of_owner(server: RunningServer) -> str:
    async def name(office: Office) -> str:
        return office.owner.user_name

    return server.in_office(name)


async def review(server: RunningServer, action: dict[str, Any], verdict: str, summary: str) -> None:
    confirmed = [{"criterionId": action["criteria"][0], "verdict": "confirmed"}] if verdict == "approved" else []
    arguments = {"verdict": verdict, "summary": summary, "verdicts": confirmed}
    await asyncio.to_thread(server.person, "review_action", action_pid=action["pid"], **arguments)


def texts(answer: dict[str, Any]) -> list[str]:
    return [item["text"] for item in answer.get("news", [])]


@pytest.mark.parametrize("mode", [MODERN, LEGACY])
async def test_each_terminal_reads_its_own_verdict_once(server: RunningServer, agent: Agent, work: Work, mode: str):
    async with (
        sdk_terminal(server, agent, mode, **{"X-Pendesk-Session": "a"}) as first,
        sdk_terminal(server, agent, mode, **{"X-Pendesk-Session": "b"}) as second,
        sdk_terminal(server, agent, mode, **{"X-Pendesk-Session": "c"}) as third,
    ):
        await build(first, "PEN-1")
        await build(second, "PEN-2")
        person = await asyncio.to_thread(name_of_owner, server)
        await review(server, work.actions[0], "approved", "Fine.")
        await review(server, work.actions[1], "changes_requested", "Not yet.")
        assert texts(await call(third, "list_available_specs")) == []
        assert texts(await call(third, "claim_action", action_pid="PEN-3")) == []
        # The client holds each result against the tool's output schema.
        assert texts(await call(first, "list_available_specs")) == [APPROVED.format(person=person)]
        assert texts(await call(second, "claim_action", action_pid="PEN-4")) == [CHANGES.format(person=person)]
        for terminal in (first, second, third):
            for _call in range(2):
                assert texts(await call(terminal, "list_available_specs")) == []
