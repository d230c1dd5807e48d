"""What a hook is answered: news to the root of its session once, the end of its run, and the question at a Stop."""

import asyncio

import pytest

from pendesk.domain.errors import RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
SECOND = 1_000_000


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3, criteria=1)


async def hook(desk, agent, event="PostToolBatch", **arguments):
    standing = await desk.call(agent, "session_event", event=event, **arguments)
    answer = await desk.call(agent, "answer_session_event", event=event, **arguments)
    said = {name: answer[name] for name in ("context", "keepOn", "endRun") if answer.get(name)}
    assert standing["hasAnswer"] or not said
    return said


async def session_of(desk, ada, agent):
    agents = await desk.call(ada, "list_agents")
    return next(session["pid"] for agent in agents["agents"] for session in agent["sessions"])


async def ask(desk, agent, action):
    return await desk.call(agent, "request_clarification", action_pid=action["pid"], question="Which port?")


async def test_an_answer_to_a_question_is_the_context_of_the_next_step_and_of_no_other(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = await ask(desk, agent, work.actions[0])
    assert await hook(desk, agent) == {}
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="5433")
    assert "5433" in (await hook(desk, agent))["context"]
    assert await hook(desk, agent) == {}


async def test_a_persons_message_is_the_context_of_the_next_step_and_is_acknowledged(desk, ada, work, terminal):
    agent, other = terminal(client_session="s1"), terminal(client_session="s2")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    await hook(desk, other)
    await desk.call(ada, "send_message", action_pid=work.actions[0]["pid"], text="Use port 5433.")
    assert await hook(desk, other) == {}
    context = (await hook(desk, agent, "PreToolUse"))["context"]
    assert "Message from Ada (person), 08:00 UTC: Use port 5433." in context
    assert await hook(desk, agent) == {}
    progress = {"action_pid": work.actions[0]["pid"], "status": "started", "message": "Port changed."}
    assert "news" not in await desk.call(agent, "update_progress", **progress)
    (message,) = (await desk.call(ada, "list_messages", action_pid=work.actions[0]["pid"]))["messages"]
    (delivery,) = message["deliveries"]
    assert (delivery["state"], delivery["by"]) == ("acknowledged", "hook")
    assert delivery["acknowledgement"] == "Port changed."


async def test_a_message_keeps_a_session_going_that_is_about_to_stop(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    await hook(desk, agent, "Stop")
    await desk.call(ada, "send_message", action_pid=work.actions[0]["pid"], text="One more thing.")
    assert "One more thing." in (await hook(desk, agent, "Stop"))["keepOn"]
    assert await hook(desk, agent, "Stop") == {}


async def test_of_two_hooks_at_the_same_time_one_delivers(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = await ask(desk, agent, work.actions[0])
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="5433")
    answers = await asyncio.gather(*(hook(desk, agent) for _ in range(5)))
    assert sum("5433" in answer.get("context", "") for answer in answers) == 1


async def test_a_sub_agent_reads_no_news_of_its_parent(desk, ada, work, terminal):
    agent, sub_agent = terminal(client_session="s1"), terminal(client_session="s1", thread="a1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = await ask(desk, agent, work.actions[0])
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="5433")
    assert await hook(desk, sub_agent) == {}
    assert "5433" in (await hook(desk, agent))["context"]


async def test_a_session_of_another_user_with_the_same_mark_reads_nothing(desk, ada, grace, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = await ask(desk, agent, work.actions[0])
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="5433")
    other = grace._replace(via="mcp", token_id=agent.token_id, origin=agent.origin)
    assert await hook(desk, other) == {}
    assert "5433" in (await hook(desk, agent))["context"]


async def test_at_the_end_of_its_turn_a_session_is_asked_once_about_what_it_holds(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = (await hook(desk, agent, "Stop"))["keepOn"]
    assert "You still hold PEN-1" in question
    assert "submit_for_review" in question
    assert await hook(desk, agent, "Stop") == {}
    await desk.call(agent, "claim_action", action_pid=work.actions[1]["pid"])
    question = (await hook(desk, agent, "Stop"))["keepOn"]
    assert "PEN-2" in question
    assert "PEN-1" not in question


@pytest.mark.parametrize("end", ["submitted", "released", "question", "expired", "background", "sub-agent"])
async def test_it_is_not_asked_where_there_is_nothing_to_do(desk, ada, work, terminal, end):
    agent, action = terminal(client_session="s1"), work.actions[0]
    await desk.call(agent, "claim_action", action_pid=action["pid"])
    stopping, arguments = agent, {}
    if end == "submitted":
        await desk.call(
            agent, "submit_for_review", action_pid=action["pid"], branch="main", head_sha=SHA, summary="Built it."
        )
    elif end == "released":
        await desk.call(agent, "release_action", action_pid=action["pid"])
    elif end == "question":
        await ask(desk, agent, action)
    elif end == "expired":
        desk.clock.forward(3600 * SECOND)
    elif end == "background":
        arguments = {"has_background_work": True}
    else:
        stopping = terminal(client_session="s1", thread="a1")
    assert await hook(desk, stopping, "Stop", **arguments) == {}


async def test_requested_changes_keep_it_going_and_an_approval_does_not(desk, ada, work, terminal):
    agent, (first, second, _third) = terminal(client_session="s1"), work.actions
    for action in (first, second):
        await desk.call(agent, "claim_action", action_pid=action["pid"])
        await desk.call(
            agent, "submit_for_review", action_pid=action["pid"], branch="main", head_sha=SHA, summary="Built it."
        )
    confirmed = [{"criterionId": first["criteria"][0], "verdict": "confirmed"}]
    await desk.call(
        ada, "review_action", action_pid=first["pid"], verdict="approved", summary="Good.", verdicts=confirmed
    )
    assert await hook(desk, agent, "Stop") == {}
    await desk.call(
        ada, "review_action", action_pid=second["pid"], verdict="changes_requested", summary="Not yet.", verdicts=[]
    )
    answer = (await hook(desk, agent, "Stop"))["keepOn"]
    assert "requested changes on PEN-2" in answer
    assert "PEN-1 was approved" in answer


async def test_a_pause_ends_every_thread_until_somebody_prompts_it(desk, ada, work, terminal):
    agent, sub_agent = terminal(client_session="s1"), terminal(client_session="s1", thread="a1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    session = await session_of(desk, ada, agent)
    paused = await desk.call(ada, "pause_session", agent_session_id=session, reason="The build is red.")
    assert paused["control"]["kind"] == "pause"
    for caller, event in ((sub_agent, "PreToolUse"), (agent, "PreToolUse"), (agent, "PostToolBatch")):
        text = (await hook(desk, caller, event))["endRun"]
        assert text.startswith("Ada (person) paused this session")
        assert "The build is red." in text
    # A sub-agent that was ended wakes its parent by a prompt of its own.
    assert "endRun" in await hook(desk, agent, "UserPromptSubmit")
    desk.clock.forward(6 * SECOND)
    assert await hook(desk, agent, "UserPromptSubmit") == {}
    assert await hook(desk, agent, "PreToolUse") == {}
    brief = await desk.call(agent, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert "news" not in brief


async def test_a_pause_without_hooks_is_news(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(ada, "pause_session", agent_session_id=await session_of(desk, ada, agent))
    answer = await desk.call(
        agent, "update_progress", action_pid=work.actions[0]["pid"], status="started", message="Going on."
    )
    assert ["paused this session" in item["text"] for item in answer["news"]] == [True]


async def test_a_pause_that_is_taken_back_leaves_no_trace_for_the_agent(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    session = await session_of(desk, ada, agent)
    await desk.call(ada, "pause_session", agent_session_id=session)
    await desk.call(ada, "resume_session", agent_session_id=session)
    assert await hook(desk, agent) == {}


async def test_a_stop_releases_what_the_session_holds_with_a_hand_over(desk, ada, work, terminal):
    agent, action = terminal(client_session="s1"), work.actions[0]
    await desk.call(agent, "claim_action", action_pid=action["pid"])
    await desk.call(agent, "update_progress", action_pid=action["pid"], status="started", message="Half done.")
    stopped = await desk.call(
        ada, "stop_session", agent_session_id=await session_of(desk, ada, agent), reason="Wrong way."
    )
    assert stopped["released"] == ["PEN-1"]
    assert "Wrong way." in (await hook(desk, agent, "PreToolUse"))["endRun"]
    assert await hook(desk, agent, "Stop") == {}
    other = terminal(client_session="s2")
    await desk.call(other, "claim_action", action_pid=action["pid"])
    brief = await desk.call(other, "get_action_brief", action_pid=action["pid"])
    assert "Half done." in str(brief["handOver"])


async def test_while_it_is_paused_its_lease_does_not_run_out(desk, ada, work, terminal):
    agent, action = terminal(client_session="s1"), work.actions[0]
    await desk.call(agent, "claim_action", action_pid=action["pid"])
    session = await session_of(desk, ada, agent)
    await desk.call(ada, "pause_session", agent_session_id=session)
    await hook(desk, agent, "PreToolUse")
    desk.clock.forward(5 * 3600 * SECOND)
    assert (await held_of(desk, ada))["pulse"] != "expired"
    await hook(desk, agent, "UserPromptSubmit")
    desk.clock.forward(3600 * SECOND)
    assert (await held_of(desk, ada))["pulse"] == "expired"


async def held_of(desk, ada):
    agents = (await desk.call(ada, "list_agents"))["agents"]
    return next(held for agent in agents for held in agent["held"])


async def test_the_agents_page_says_who_paused_a_session_and_when_its_run_ended(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    session = await session_of(desk, ada, agent)
    await desk.call(ada, "pause_session", agent_session_id=session, reason="Wait.")
    assert (await control_of(desk, ada)).items() >= {"kind": "pause", "by": "Ada", "reason": "Wait."}.items()
    assert "appliedAt" not in await control_of(desk, ada)
    await hook(desk, agent, "PreToolUse")
    assert "appliedAt" in await control_of(desk, ada)
    await desk.call(ada, "resume_session", agent_session_id=session)
    assert await control_of(desk, ada) is None


async def control_of(desk, ada):
    agents = (await desk.call(ada, "list_agents"))["agents"]
    return next(session.get("control") for agent in agents for session in agent["sessions"])


@pytest.mark.parametrize(("operation", "code"), [("pause_session", "session_ended"), ("stop_session", "session_ended")])
async def test_a_session_that_has_ended_is_not_paused_or_stopped(desk, ada, work, terminal, token, operation, code):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    session = await session_of(desk, ada, agent)
    await desk.call(ada, "revoke_token", token_id=token)
    with refused(RuleBroken, code):
        await desk.call(ada, operation, agent_session_id=session)


async def test_what_is_not_paused_is_not_resumed_and_what_was_stopped_is_not_paused(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    session = await session_of(desk, ada, agent)
    with refused(RuleBroken, "not_paused"):
        await desk.call(ada, "resume_session", agent_session_id=session)
    await desk.call(ada, "stop_session", agent_session_id=session)
    with refused(RuleBroken, "already_stopped"):
        await desk.call(ada, "pause_session", agent_session_id=session)


async def test_a_prompt_that_lifts_a_pause_before_it_took_effect_is_not_answered_by_it(desk, ada, work, terminal):
    agent = terminal(client_session="s1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(ada, "pause_session", agent_session_id=await session_of(desk, ada, agent))
    assert await hook(desk, agent, "UserPromptSubmit") == {}
    assert await hook(desk, agent, "PreToolUse") == {}
