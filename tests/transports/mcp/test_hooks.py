"""The hidden tool of hooks: what it answers, what it remembers, and that it never disturbs."""

import json
from typing import Any

import msgspec
import pytest

from pendesk.domain.limits import MARK_CHARS
from pendesk.transports.authenticate import authenticate_bearer_token
from pendesk.transports.mcp.hooks import Hooks
from pendesk.transports.mcp.messages import Params
from pendesk.transports.mcp.tool_uses import MemoryToolUses, ToolUseSource
from tests.transports.mcp.wire import LEGACY, People, Wire, message, token_of
from tests.transports.served import Served

CLAUDE = {"User-Agent": "claude-code/2.1.325 (cli)"}


async def hook(wire: Wire, event: str, meta: dict[str, Any] | None = None, **arguments: Any) -> Any:
    """What the client reads of the answer."""
    body, headers = message(wire.era, "tools/call", name="session_event", arguments={"event": event, **arguments})
    body["params"].setdefault("_meta", {}).update(meta or {})
    response = await wire.post(body, {**headers, **CLAUDE})
    assert response.status_code == 200, response.text
    result = response.json()["result"]
    assert result["isError"] is False
    return json.loads(result["content"][0]["text"])


async def call(wire: Wire, tool: str, tool_use_id: str = "", **arguments: Any) -> Any:
    body, headers = message(wire.era, "tools/call", name=tool, arguments=arguments)
    if tool_use_id:
        body["params"].setdefault("_meta", {})["claudecode/toolUseId"] = tool_use_id
    response = await wire.post(body, {**headers, **CLAUDE})
    return response.json()["result"]["structuredContent"]


async def test_it_is_in_no_list_of_tools(wire: Wire) -> None:
    names = [tool["name"] for tool in (await wire.result("tools/list"))["tools"]]
    assert "session_event" not in names
    assert len(names) == 13


async def test_nothing_to_say_is_an_empty_object(wire: Wire) -> None:
    assert await hook(wire, "UserPromptSubmit", session="s1") == {}
    assert await hook(wire, "PreToolUse", session="s1", tool="Bash", command="ls") == {}


@pytest.mark.parametrize(
    "arguments",
    [
        {"event": "NoSuchEvent", "session": "s1"},
        {"event": 7, "session": {"a": []}},
        {"event": ["Stop"]},
        {"event": "Stop", "session": "x" * 100_000, "tool": None, "command": 3, "more": {"deep": [1]}},
        {},
    ],
)
async def test_whatever_is_sent_gets_an_empty_answer(wire: Wire, arguments: dict[str, Any]) -> None:
    body, headers = message(wire.era, "tools/call", name="session_event", arguments=arguments)
    response = await wire.post(body, headers)
    assert response.status_code == 200
    assert response.json()["result"]["content"][0]["text"] == "{}"


async def test_two_terminals_of_one_grant_are_told_apart_by_the_hook_before_each_call(
    served: Served, people: People, agent: str
) -> None:
    """Neither sends a mark of its own: that is Claude Code with a server that it signed in to."""
    wire = Wire(served.http, await token_of(served, user_pid=agent))
    project = await people.does("create_project", name="Hooks")
    work = (await people.does("create_task", project_id=project["pid"], label="Build it"))["pid"]
    arguments: dict[str, Any]
    for tool_use, session, thread in (("t1", "one", ""), ("t2", "two", ""), ("t3", "one", "a7")):
        arguments = {"session": session, "agent": thread, "tool": "mcp__pendesk__claim_action"}
        assert await hook(wire, "PreToolUse", tool_use_id=tool_use, **arguments) == {}
    claim = await call(wire, "claim_action", "t1", action_pid=work)
    assert claim["claim"]["fence"] == 1
    refusal = await call(wire, "claim_action", "t2", action_pid=work)
    assert refusal["error"]["code"] == "held_by_your_other_session"
    refusal = await call(wire, "claim_action", "t3", action_pid=work)
    assert refusal["error"]["status"] == 409
    await hook(wire, "PreToolUse", tool_use_id="t4", session="one", tool="mcp__pendesk__claim_action")
    assert (await call(wire, "claim_action", "t4", action_pid=work))["claim"] == claim["claim"]


async def test_hooks_have_a_limit_of_their_own_above_which_they_get_an_empty_answer(
    served: Served, people: People, agent: str
) -> None:
    wire = Wire(served.http, await token_of(served, user_pid=agent), LEGACY)
    for _ in range(70):
        assert await hook(wire, "PreToolUse", session="s1", tool="Bash") == {}
    assert (await wire.result("ping")) == {}
    for _ in range(60):
        response = await wire.ask("ping")
    assert response.status_code == 429
    assert await hook(wire, "PreToolUse", session="s1", tool="Bash") == {}


async def test_a_malformed_message_that_names_it_counts_as_any_other(served: Served, agent: str) -> None:
    wire = Wire(served.http, await token_of(served, user_pid=agent), LEGACY)
    statuses = [(await wire.post(b'{"session_event":')).status_code for _ in range(61)]
    assert statuses == [400] * 60 + [429]


async def test_without_a_token_it_is_refused_like_any_call(served: Served) -> None:
    body, headers = message(LEGACY, "tools/call", name="session_event", arguments={"event": "Stop"})
    assert (await served.http.post("/mcp", json=body, headers=headers)).status_code == 401


async def test_of_a_tool_use_no_more_is_remembered_than_a_client_sends(
    served: Served, people: People, agent: str
) -> None:
    """Else a token could fill the memory; and what no column takes is no fault of ours."""
    wire = Wire(served.http, await token_of(served, user_pid=agent))
    tool_uses = MemoryToolUses()
    hooks = Hooks(served.service.dispatcher, Unlimited(), tool_uses, served.service.steps)
    actor = await authenticate_bearer_token(served.service.dispatcher, f"Bearer {wire.token}", "mcp")
    sent = {"event": "PreToolUse", "session": "s\0" * 100_000, "tool_use_id": "t\0" * 100_000, "tool": "mcp__x__y"}
    await hooks.answer(actor, {}, Params(name="session_event", arguments=msgspec.Raw(msgspec.json.encode(sent))))
    assert await tool_uses.find(actor.user_id, "t" * MARK_CHARS) == ToolUseSource("s" * MARK_CHARS, "")


class Unlimited:
    async def count_request_or_refuse(self, key: str) -> None:
        pass
