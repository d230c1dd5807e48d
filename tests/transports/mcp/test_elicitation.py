"""A client that can show a form asks the user at once: two calls, and nothing remembered between them."""

from typing import Any

import pytest

from tests.transports.mcp.wire import BUILDING, LEGACY, MODERN, Wire, message, meta, token_of
from tests.workbench import published_spec

TOOL = "request_clarification"
FORM: dict[str, Any] = {"elicitation": {"form": {}}}


@pytest.fixture
async def asking(people, agent, modern):
    work = await published_spec(people, people.owner, participants=(people.owner._replace(user_id=agent),))
    claimed = await modern.call("claim_action", action_pid=work.actions[0]["pid"])
    claim_id = claimed["structuredContent"]["claim"]["id"]
    return {"action_pid": work.actions[0]["pid"], "question": "Which hash?", "claim_id": claim_id}


async def ask(wire: Wire, arguments, capabilities=FORM, **params):
    args = {"name": TOOL, "arguments": arguments, "_meta": meta(**capabilities), **params}
    return (await wire.post(*message(MODERN, "tools/call", **args))).json()


def reply(answer, action="accept"):
    return {"answer": {"action": action, "content": {"answer": answer}}}


async def open_questions(wire: Wire, action_pid: str) -> list[str]:
    brief = (await wire.call("get_action_brief", action_pid=action_pid))["structuredContent"]
    return [clarification["question"] for clarification in brief["openClarifications"]]


@pytest.mark.parametrize("capabilities", [{"elicitation": {}}, FORM])
async def test_the_answer_is_recorded_as_relayed(modern, asking, capabilities):
    first = (await ask(modern, asking, capabilities))["result"]
    assert first["resultType"] == "input_required"
    form = first["inputRequests"]["answer"]
    assert form["method"] == "elicitation/create"
    assert form["params"]["message"] == "Which hash?"
    assert list(form["params"]["requestedSchema"]["properties"]) == ["answer"]
    assert await open_questions(modern, asking["action_pid"]) == ["Which hash?"]

    second = (
        await ask(modern, asking, capabilities, requestState=first["requestState"], inputResponses=reply("argon2"))
    )["result"]
    assert second["resultType"] == "complete"
    answered = second["structuredContent"]
    assert (answered["status"], answered["answer"], answered["relayed"]) == ("answered", "argon2", True)
    assert await open_questions(modern, asking["action_pid"]) == []


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"sampling": {}}])
async def test_a_client_that_cannot_ask_gets_the_plain_answer(modern, asking, capabilities):
    result = (await ask(modern, asking, capabilities))["result"]
    assert result["resultType"] == "complete"
    assert "answer_clarification" in result["structuredContent"]["next_step"]


async def test_nor_does_the_older_era_ask(served, modern, asking):
    result = await Wire(served.http, modern.token, LEGACY).call(TOOL, **asking)
    assert result["structuredContent"]["status"] == "open"


@pytest.mark.parametrize(
    "responses", [reply("x", "decline"), reply("x", "cancel"), reply("  "), {}, {"answer": 7}, {"other": {}}]
)
@pytest.mark.parametrize("scopes", [BUILDING, ["builds.write"]])
async def test_without_an_answer_the_question_stays_open(served, agent, modern, asking, responses, scopes):
    wire = Wire(served.http, await token_of(served, *scopes, user_pid=agent))
    state = (await ask(wire, asking))["result"]["requestState"]
    result = (await ask(wire, asking, requestState=state, inputResponses=responses))["result"]
    assert result["isError"] is False
    assert result["structuredContent"]["status"] == "open"
    assert await open_questions(modern, asking["action_pid"]) == ["Which hash?"]


async def test_a_forged_or_foreign_state_is_a_protocol_error(served, modern, asking):
    state = (await ask(modern, asking))["result"]["requestState"]
    pid, _, signature = state.partition(".")
    other = Wire(served.http, await token_of(served))
    for wire, forged in (
        (modern, state + "x"),
        (modern, f"{asking['action_pid']}.{signature}"),
        (modern, pid),
        (modern, ""),
        (modern, "ü.ü"),
        (other, state),
    ):
        answer = await ask(wire, asking, requestState=forged, inputResponses=reply("argon2"))
        assert answer["error"]["code"] == -32602, forged
    assert await open_questions(modern, asking["action_pid"]) == ["Which hash?"]


async def test_the_second_call_repeated_changes_nothing(modern, asking):
    state = (await ask(modern, asking))["result"]["requestState"]
    for status in (None, 422):
        result = (await ask(modern, asking, requestState=state, inputResponses=reply("argon2")))["result"]
        assert result["structuredContent"].get("error", {}).get("status") == status
    assert await open_questions(modern, asking["action_pid"]) == []


async def test_extra_responses_are_passed_over(modern, asking):
    state = (await ask(modern, asking))["result"]["requestState"]
    responses = {**reply("argon2"), "more": {"action": "accept", "content": {"foo": 1}}}
    result = (await ask(modern, asking, requestState=state, inputResponses=responses))["result"]
    assert result["structuredContent"]["answer"] == "argon2"


async def test_a_refused_question_is_not_asked(modern, asking):
    await modern.call("release_action", action_pid=asking["action_pid"])
    result = (await ask(modern, asking | {"claim_id": None}))["result"]
    assert result["structuredContent"]["error"]["status"] == 422
