"""Several terminals of one user: each claim belongs to the session that took it."""

from itertools import count

import pytest

from pendesk.domain.access import Scope
from pendesk.domain.errors import (
    AlreadyClaimed,
    ClaimLost,
    HeldByAnother,
    HeldByYourOtherSession,
    NotFound,
    RuleBroken,
    Unavailable,
)
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=5)


async def held(desk, ada):
    """Ref code -> the agent that holds it."""
    listed = (await desk.call(ada, "list_agents"))["agents"]
    return {
        row["refCode"]: session["name"] for agent in listed for session in agent["sessions"] for row in session["held"]
    }


WRITES = [
    ("update_progress", {"status": "started", "message": "At work."}),
    ("report_commit", {"sha": SHA, "message": "Work"}),
    ("request_clarification", {"question": "Which?"}),
    ("submit_for_review", {"pr_url": "https://git.example.com/1", "summary": "Done."}),
    ("release_action", {}),
]


async def test_the_same_session_gets_the_same_claim(desk, work, terminal):
    first = await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    again = await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    assert again["claim"]["id"] == first["claim"]["id"]


async def test_another_terminal_of_the_same_user_is_refused_like_a_stranger(desk, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    await desk.call(first, "claim_action", action_pid=work.actions[0]["pid"], agent_model="claude-opus-5")
    desk.clock.forward(2 * MINUTE)
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(second, "claim_action", action_pid=work.actions[0]["pid"])
    details = caught.refusal.details
    assert (details["agent"], details["model"]) == ("Claude Code on ada-laptop", "claude-opus-5")
    assert len(details["instead"]) == 2
    assert set(details["instead"]) < {action["refCode"] for action in work.actions[1:]}
    assert "id" not in details
    assert "claim_id" not in caught.refusal.message


async def test_terminals_that_are_refused_together_are_sent_to_different_actions(desk, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="holder"), "claim_action", action_pid=pid)
    first_named = set()
    for number in range(12):
        with refused(HeldByYourOtherSession) as caught:
            await desk.call(terminal(process=str(number)), "claim_action", action_pid=pid)
        first_named.add(caught.refusal.details["instead"][0])
    assert first_named == {action["refCode"] for action in work.actions[1:]}


@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _arguments in WRITES])
async def test_another_terminal_cannot_write_about_it_and_changes_nothing(desk, ada, work, terminal, tool, arguments):
    first, second = terminal(process="1"), terminal(process="2")
    pid = work.actions[0]["pid"]
    await desk.call(first, "claim_action", action_pid=pid)
    events = (await desk.call(ada, "list_events", action_pid=pid))["events"]
    with refused(HeldByYourOtherSession):
        await desk.call(second, tool, action_pid=pid, **arguments)
    assert (await desk.call(ada, "list_events", action_pid=pid))["events"] == events
    assert (await desk.call(first, tool, action_pid=pid, **arguments)) is not None


async def test_another_terminal_reads_the_brief_but_gets_no_claim_and_takes_no_news(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    pid = work.actions[0]["pid"]
    await desk.call(first, "claim_action", action_pid=pid)
    question = await desk.call(first, "request_clarification", action_pid=pid, question="Which?")
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="The first.")
    brief = await desk.call(second, "get_action_brief", action_pid=pid)
    assert "claim" not in brief
    assert "news" not in brief
    assert (await desk.call(first, "get_action_brief", action_pid=pid))["news"][0]["text"]


async def test_what_another_terminal_holds_is_not_shown_to_a_session_as_its_own(desk, work, terminal):
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    for marks, held, may_hold in (({"process": "1"}, 1, 0), ({"process": "2"}, 0, 0), ({}, 0, 1)):
        context = await desk.call(terminal(**marks), "get_context")
        assert (len(context["held"]), len(context.get("mayHold", []))) == (held, may_hold)


async def test_every_session_of_a_user_sees_what_they_hold_though_they_take_no_part_in_the_spec(
    desk, ada, work, terminal
):
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(ada, "remove_participant", spec_id=work.spec_id, user_id=ada.user_id)
    assert await desk.call(terminal(process="2"), "get_action_brief", action_pid=work.actions[0]["pid"])
    with refused(NotFound):
        await desk.call(terminal(process="2"), "get_action_brief", action_pid=work.actions[1]["pid"])


async def test_an_answer_may_be_relayed_by_any_session_of_the_user(desk, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    await desk.call(first, "claim_action", action_pid=work.actions[0]["pid"])
    question = await desk.call(first, "request_clarification", action_pid=work.actions[0]["pid"], question="Which?")
    answered = await desk.call(second, "answer_clarification", clarification_pid=question["pid"], answer="One.")
    assert answered["status"] == "answered"


async def test_a_ci_job_with_a_token_of_its_own_uploads_the_report_and_is_no_sign_of_life(desk, ada, work, terminal):
    other = (await desk.call(ada, "create_token", name="CI", scopes=["specs.read", "builds.write"]))["tokenId"]
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    before = (await desk.call(ada, "get_action", action_id=pid))["claim"]
    desk.clock.forward(10 * MINUTE)
    report = {"format": "tap", "content": "1..1\nok 1 - AC-1\n"}
    uploaded = await desk.call(
        terminal(client="", machine="", token_id=other), "upload_test_report", action_pid=pid, **report
    )
    assert uploaded["recorded"]
    assert (await desk.call(ada, "get_action", action_id=pid))["claim"]["renewedAt"] == before["renewedAt"]


# Marks


async def test_one_equal_mark_is_enough_and_the_others_are_added(desk, work, terminal):
    """--resume: the client's session in a new process. /clear: a new session in the same process."""
    pid = work.actions[0]["pid"]
    first = await desk.call(terminal(process="1", client_session="a"), "claim_action", action_pid=pid)
    steps = [{"process": "2", "client_session": "a"}, {"process": "2"}, {"process": "2", "client_session": "b"}]
    for marks in [*steps, {"client_session": "b"}]:
        again = await desk.call(terminal(**marks), "claim_action", action_pid=pid)
        assert again["claim"]["id"] == first["claim"]["id"]


async def test_two_sessions_that_turn_out_to_be_one_are_merged(desk, ada, work, terminal):
    """The hook was trusted late: calls came by the process, and by the client's session, before one had both."""
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(terminal(client_session="a"), "claim_action", action_pid=work.actions[1]["pid"])
    both = terminal(process="1", client_session="a")
    for action in work.actions[:2]:
        await desk.call(both, "update_progress", action_pid=action["pid"], status="started", message="On.")
    assert set((await held(desk, ada)).values()) == {"Claude Code on ada-laptop"}


async def test_the_hook_at_the_start_of_a_session_joins_its_process_to_it(desk, ada, work, terminal):
    """It only reads. The calls of the client name their process alone, and after --resume that is another one."""
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1", client_session="a"), "get_context")
    first = await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    await desk.call(terminal(process="2", client_session="a"), "get_context")
    again = await desk.call(terminal(process="2"), "claim_action", action_pid=pid)
    assert again["claim"]["id"] == first["claim"]["id"]
    assert await held(desk, ada) == {work.actions[0]["refCode"]: "Claude Code on ada-laptop"}


async def test_a_hook_that_comes_late_merges_what_began_as_two(desk, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1", client_session="a"), "claim_action", action_pid=pid)
    with refused(HeldByYourOtherSession):
        await desk.call(terminal(process="2"), "claim_action", action_pid=pid)
    await desk.call(terminal(process="2", client_session="a"), "get_context")
    assert (await desk.call(terminal(process="2"), "claim_action", action_pid=pid))["claim"]["fence"] == 1


async def test_a_read_is_answered_where_its_marks_cannot_be_recorded(desk, terminal, monkeypatch):
    async def refuse(_workspace, _work):
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(desk.dispatcher.store, "write", refuse)
    assert (await desk.call(terminal(process="1", client_session="a"), "get_context"))["userName"] == "Ada"


async def test_a_call_without_marks_that_only_reads_makes_no_agent(desk, ada, terminal):
    await desk.call(terminal(client="", machine=""), "get_context")
    listed = (await desk.call(ada, "list_agents"))["agents"]
    assert [agent for agent in listed if agent["pid"] is not None] == []


async def test_a_claim_that_was_lost_before_two_sessions_became_one_is_still_theirs(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(client_session="a"), "claim_action", action_pid=work.actions[1]["pid"])
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    await desk.call(terminal(process="2"), "claim_action", action_pid=pid, take_over=True)
    await desk.call(terminal(process="1", client_session="a"), "get_context")
    with refused(ClaimLost):
        await desk.call(terminal(process="1"), "report_commit", action_pid=pid, sha=SHA, message="Late")
    kinds = [event["kind"] for event in (await desk.call(ada, "list_events", action_pid=pid))["events"]]
    assert kinds.count("report.late") == 1


async def test_another_client_is_another_session(desk, work, terminal):
    await desk.call(terminal(), "claim_action", action_pid=work.actions[0]["pid"])
    with refused(HeldByYourOtherSession):
        await desk.call(
            terminal(client="codex"),
            "update_progress",
            action_pid=work.actions[0]["pid"],
            status="started",
            message="Mine?",
        )


async def test_our_own_command_line_is_neutral(desk, work, terminal):
    """`pendesk work` beside MCP: it passes the client's marks where it knows them."""
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    for marks in ({"process": "1"}, {}):
        shell = terminal(client="", **marks)
        await desk.call(shell, "update_progress", action_pid=pid, status="started", message="From the shell.")


async def test_a_job_of_several_steps_is_one_session_by_the_mark_it_was_given(desk, ada, work, terminal, token):
    other = (await desk.call(ada, "create_token", name="Other", scopes=["specs.read", "builds.write"]))["tokenId"]
    pid = work.actions[0]["pid"]
    await desk.call(terminal(client="", given="job-7", process="1"), "claim_action", action_pid=pid)
    second = terminal(client="", given="job-7", process="2", token_id=other)
    await desk.call(second, "release_action", action_pid=pid)


async def test_another_token_without_an_equal_mark_is_another_session(desk, ada, work, terminal):
    other = (await desk.call(ada, "create_token", name="Other", scopes=["specs.read", "builds.write"]))["tokenId"]
    await desk.call(terminal(), "claim_action", action_pid=work.actions[0]["pid"])
    with refused(HeldByYourOtherSession):
        await desk.call(terminal(token_id=other), "release_action", action_pid=work.actions[0]["pid"])


# Nothing tells them apart


async def test_without_marks_claiming_is_strict_and_writing_lenient(desk, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(machine=""), "claim_action", action_pid=pid)
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(terminal(machine=""), "claim_action", action_pid=pid)
    assert "If it was this conversation, go on with get_action_brief" in caught.refusal.message
    progress = {"action_pid": pid, "status": "started", "message": "On."}
    assert (await desk.call(terminal(machine=""), "update_progress", **progress))["claim"]["id"]


@pytest.mark.parametrize("proof", ["claim_id", "tool_use_id", "idempotency_key"])
async def test_a_repeat_that_proves_itself_gets_the_same_claim(desk, work, terminal, proof):
    arguments = {"action_pid": work.actions[0]["pid"]}
    marks = {"machine": "", "tool_use_id": "toolu_1"} if proof == "tool_use_id" else {"machine": ""}
    if proof == "idempotency_key":
        arguments["idempotency_key"] = "once"
    first = await desk.call(terminal(**marks), "claim_action", **arguments)
    if proof == "claim_id":
        arguments["claim_id"] = first["claim"]["id"]
    assert (await desk.call(terminal(**marks), "claim_action", **arguments))["claim"]["id"] == first["claim"]["id"]


async def test_what_an_unmarked_call_writes_belongs_to_the_session_that_holds_the_claim(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    await desk.call(terminal(client=""), "update_progress", action_pid=pid, status="started", message="On.")
    events = (await desk.call(ada, "list_events", action_pid=pid))["events"]
    assert {event["agent"] for event in events if event["kind"] in ("action.claimed", "action.progressed")} == {
        "Claude Code on ada-laptop"
    }


# Taking over


async def test_taking_over_gives_a_new_fence_and_the_former_session_has_lost_its_claim(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    pid = work.actions[0]["pid"]
    before = await desk.call(first, "claim_action", action_pid=pid)
    await desk.call(first, "report_commit", action_pid=pid, sha=SHA, message="Half of it")
    taken = await desk.call(second, "claim_action", action_pid=pid, take_over=True)
    assert taken["claim"]["fence"] == before["claim"]["fence"] + 1
    with refused(ClaimLost) as caught:
        await desk.call(first, "report_commit", action_pid=pid, sha=SHA[::-1], message="The rest")
    assert "held by Claude Code on ada-laptop #2 now" in caught.refusal.message
    brief = await desk.call(second, "get_action_brief", action_pid=pid)
    assert brief["handOver"]["untrusted"]["commits"] == [f"{SHA} Half of it"]
    assert brief["handOver"]["untrusted"]["holder"] == "Claude Code on ada-laptop"
    kinds = [event["kind"] for event in (await desk.call(ada, "list_events", action_pid=pid))["events"]]
    assert kinds.count("report.late") == 1


async def test_a_lost_claim_named_by_its_id_is_a_late_report_from_any_session(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    pid = work.actions[0]["pid"]
    claim_id = (await desk.call(first, "claim_action", action_pid=pid))["claim"]["id"]
    await desk.call(second, "claim_action", action_pid=pid, take_over=True)
    with refused(ClaimLost) as caught:
        await desk.call(terminal(process="3"), "release_action", action_pid=pid, claim_id=claim_id)
    assert "saved" not in caught.refusal.message  # there is nothing to save


async def test_taking_over_is_offered_only_once_the_other_session_was_silent(desk, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    pid = work.actions[0]["pid"]
    await desk.call(first, "claim_action", action_pid=pid)
    for minutes, offered in ((4, False), (1, True)):
        desk.clock.forward(minutes * MINUTE)
        with refused(HeldByYourOtherSession) as caught:
            await desk.call(second, "claim_action", action_pid=pid)
        assert ("take_over" in caught.refusal.message) is offered


async def test_a_write_about_an_expired_claim_of_another_session_says_that_it_can_be_claimed(desk, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    desk.clock.forward(31 * MINUTE)
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(terminal(process="2"), "report_commit", action_pid=pid, sha=SHA, message="Mine?")
    assert "Its lease has expired: claim it first with claim_action." in caught.refusal.message
    assert (await desk.call(terminal(process="2"), "claim_action", action_pid=pid))["claim"]["fence"] == 2


async def test_a_session_whose_claim_is_renewed_without_a_mark_is_not_silent(desk, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    desk.clock.forward(6 * MINUTE)
    await desk.call(terminal(client=""), "update_progress", action_pid=pid, status="started", message="On.")
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(terminal(process="2"), "claim_action", action_pid=pid)
    assert "take_over" not in caught.refusal.message


async def test_nobody_takes_over_from_another_user(desk, ada, grace, terminal):
    work = await published_spec(desk, ada, participants=(grace,))
    await desk.call(grace, "claim_action", action_pid=work.actions[0]["pid"])
    with refused(AlreadyClaimed):
        await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"], take_over=True)


async def test_what_is_taken_over_does_not_count_twice_in_the_limit(desk, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    for action in work.actions[:3]:
        await desk.call(first, "claim_action", action_pid=action["pid"])
    with refused(RuleBroken) as caught:
        await desk.call(second, "claim_action", action_pid=work.actions[3]["pid"])
    assert caught.refusal.code == "claim_limit"
    assert "holds none of them, so tell your user" in caught.refusal.message
    assert caught.refusal.details["held"][0] == {
        "ref": work.actions[0]["refCode"],
        "holder": "Claude Code on ada-laptop",
    }
    await desk.call(second, "claim_action", action_pid=work.actions[0]["pid"], take_over=True)


# Requested changes


async def send_back(desk, ada, reviewer, pid, terminal):
    await desk.call(terminal, "claim_action", action_pid=pid)
    await desk.call(terminal, "submit_for_review", action_pid=pid, pr_url="https://git.example.com/1", summary="Done.")
    items = [{"text": "Name the field."}]
    await desk.call(
        reviewer, "review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.", items=items
    )


RESUBMIT = {"pr_url": "https://git.example.com/1", "summary": "Named."}


async def test_any_session_of_the_submitters_user_takes_the_rework_and_a_second_is_refused(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    taken = await desk.call(terminal(process="2"), "claim_action", action_pid=pid)
    assert (taken["status"], taken["claim"]["fence"]) == ("in-review", 2)
    assert "resubmit_for_review" in taken["next_step"]
    for tool, arguments in (("claim_action", {}), ("resubmit_for_review", RESUBMIT)):
        with refused(HeldByYourOtherSession if tool == "claim_action" else ClaimLost):
            await desk.call(terminal(process="1"), tool, action_pid=pid, **arguments)
    answer = await desk.call(terminal(process="2"), "resubmit_for_review", action_pid=pid, **RESUBMIT)
    assert answer["status"] == "in-review"
    assert (await desk.call(ada, "get_action", action_id=pid))["state"] == "in_review"


async def test_the_first_write_about_requested_changes_claims_them(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    await desk.call(terminal(process="1"), "report_commit", action_pid=pid, sha=SHA, message="Name it")
    assert (await desk.call(ada, "get_action", action_id=pid))["claim"]["pulse"] == "live"
    with refused(HeldByYourOtherSession):
        await desk.call(terminal(process="2"), "claim_action", action_pid=pid)


async def test_resubmitting_alone_is_enough(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    await desk.call(terminal(process="1"), "resubmit_for_review", action_pid=pid, **RESUBMIT)
    kinds = [event["kind"] for event in (await desk.call(ada, "list_events", action_pid=pid))["events"]]
    assert kinds[-2:] == ["action.claimed", "action.resubmitted"]


async def test_rework_is_never_refused_for_the_limit(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    for action in work.actions[1:4]:
        await desk.call(terminal(process="2"), "claim_action", action_pid=action["pid"])
    assert (await desk.call(terminal(process="1"), "claim_action", action_pid=pid))["claim"]


async def test_a_person_hands_the_rework_to_another_agent_whose_brief_has_the_remarks(desk, ada, grace, terminal):
    work = await published_spec(desk, ada, participants=(grace,))
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    with refused(HeldByAnother):
        await desk.call(grace, "claim_action", action_pid=pid)
    await desk.call(ada, "release_claim", action_pid=pid)
    await desk.call(grace, "claim_action", action_pid=pid)
    brief = await desk.call(grace, "get_action_brief", action_pid=pid)
    assert [item["text"] for item in brief["review"]["items"]] == ["Name the field."]
    submitted = await desk.call(grace, "submit_for_review", action_pid=pid, **RESUBMIT)
    assert submitted["status"] == "in-review"


async def test_submitting_requested_changes_anew_names_the_right_tool(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await send_back(desk, ada, ada, pid, terminal(process="1"))
    with refused(RuleBroken) as caught:
        await desk.call(terminal(process="1"), "submit_for_review", action_pid=pid, **RESUBMIT)
    assert "resubmit_for_review" in caught.refusal.message


# Sub-agents


async def test_any_thread_of_a_session_may_write_but_only_one_claims(desk, work, terminal):
    pid = work.actions[0]["pid"]
    root = {"client": "codex", "client_session": "root"}
    await desk.call(terminal(**root, thread="sub-1"), "claim_action", action_pid=pid)
    for thread in ("", "sub-2"):
        with refused(HeldByYourOtherSession) as caught:
            await desk.call(terminal(**root, thread=thread), "claim_action", action_pid=pid)
        assert "your sub-agent sub-1" in caught.refusal.message
        progress = {"action_pid": pid, "status": "started", "message": "On."}
        await desk.call(terminal(**root, thread=thread), "update_progress", **progress)
    await desk.call(terminal(**root, thread="sub-1"), "claim_action", action_pid=pid)


# A person


async def test_a_person_and_their_agents_do_not_write_on_each_others_claims(desk, ada, work, terminal):
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(ada, "claim_action", action_pid=work.actions[1]["pid"])
    with refused(HeldByYourOtherSession):
        await desk.call(ada, "release_action", action_pid=work.actions[0]["pid"])
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[1]["pid"])
    assert "held by Ada in person" in caught.refusal.message
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"])


# Agents


async def test_sessions_are_numbered_among_the_live_ones_of_their_agent(desk, ada, work, terminal):
    for number in range(3):
        await desk.call(terminal(process=str(number)), "claim_action", action_pid=work.actions[number]["pid"])
    assert sorted((await held(desk, ada)).values()) == [
        "Claude Code on ada-laptop",
        "Claude Code on ada-laptop #2",
        "Claude Code on ada-laptop #3",
    ]


async def test_clients_on_one_token_are_agents_of_their_own(desk, ada, work, terminal):
    clients = count()
    for client in ("claude-code", "codex"):
        action = work.actions[next(clients)]
        await desk.call(terminal(client=client, process=client), "claim_action", action_pid=action["pid"])
    listed = (await desk.call(ada, "list_agents"))["agents"]
    assert sorted(agent["name"] for agent in listed) == ["Claude Code on ada-laptop", "Codex on ada-laptop"]


async def test_an_agent_whose_client_is_not_known_is_called_as_its_token(desk, ada, work, terminal):
    await desk.call(terminal(client="", machine=""), "claim_action", action_pid=work.actions[0]["pid"])
    assert set((await held(desk, ada)).values()) == {"Ada's laptop"}


async def test_no_other_session_reads_the_id_of_a_claim_in_the_log(desk, ada, work, terminal):
    """With it, it could write as if it held the claim."""
    pid = work.actions[0]["pid"]
    claim_id = (await desk.call(terminal(process="1"), "claim_action", action_pid=pid))["claim"]["id"]
    await desk.call(terminal(process="2"), "claim_action", action_pid=pid, take_over=True)
    reader = terminal(process="2")._replace(scopes=frozenset({Scope.DESK_READ, Scope.DESK_WRITE}))
    for operation in ("list_events", "get_timeline", "list_agents"):
        assert claim_id not in str(await desk.call(reader, operation)), operation
    assert claim_id not in str(await desk.call(reader, "get_action", action_id=pid))
