"""What a person decided reaches the session whose work it was, with its next call about anything, once."""

import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import Refusal, RuleBroken
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=5, criteria=1)


async def claim_and_submit(desk, actor, action):
    await desk.call(actor, "claim_action", action_pid=action["pid"])
    await submit(desk, actor, action, "submit_for_review")


async def submit(desk, actor, action, tool):
    return await desk.call(actor, tool, action_pid=action["pid"], branch="main", head_sha=SHA, summary="Built it.")


async def judge(desk, person, action, verdict):
    await desk.call(
        person,
        "review_action",
        action_pid=action["pid"],
        verdict=verdict,
        summary="Looked at it.",
        verdicts=[{"criterionId": action["criteria"][0], "verdict": "confirmed"}] if verdict == "approved" else [],
    )


async def attach(desk, actor, spec_id):
    with desk.installation.files.start_upload(1000) as upload:
        upload.write(b"a box")
        receipt = make_signed_file_receipt(desk.installation, actor, upload.save(), desk.clock())
    return (await desk.call(actor, "put_attachment", spec_pid=spec_id, name="sketch.txt", receipt=receipt))["pid"]


def texts(answer):
    return [item["text"] for item in answer.get("news", [])]


APPROVED = "PEN-1 was approved by Ada. Looked at it."
CHANGES = "Ada requested changes on PEN-1; get_action_brief lists them. Looked at it."


async def another_claimed(desk, actor, work):
    return await desk.call(actor, "claim_action", action_pid=work.actions[1]["pid"])


async def progress_on(desk, actor, action):
    return await desk.call(actor, "update_progress", action_pid=action["pid"], status="started", message="Began.")


CALLS = {
    "list_available_specs": lambda work: {},
    "get_spec": lambda work: {"spec_pid": work.spec_id},
    "claim_action": lambda work: {"action_pid": work.actions[3]["pid"]},
    "get_action_brief": lambda work: {"action_pid": work.actions[3]["pid"]},
    "update_progress": lambda work: {
        "action_pid": work.actions[1]["pid"],
        "status": "started",
        "message": "Going on.",
    },
    "report_commit": lambda work: {"action_pid": work.actions[1]["pid"], "sha": SHA, "message": "One"},
    "report_test_result": lambda work: {
        "action_pid": work.actions[1]["pid"],
        "criterion_id": work.actions[1]["criteria"][0],
        "outcome": "passed",
    },
    "request_clarification": lambda work: {"action_pid": work.actions[1]["pid"], "question": "Which?"},
    "release_action": lambda work: {"action_pid": work.actions[1]["pid"]},
    "submit_for_review": lambda work: {
        "action_pid": work.actions[1]["pid"],
        "branch": "main",
        "head_sha": SHA,
        "summary": "Built it.",
    },
}


@pytest.mark.parametrize("marks", [{"process": "1"}, {}])
@pytest.mark.parametrize("tool", CALLS)
async def test_an_approval_comes_with_the_next_call_about_anything(desk, ada, work, terminal, tool, marks):
    agent = terminal(**marks)
    await claim_and_submit(desk, agent, work.actions[0])
    await another_claimed(desk, agent, work)
    await judge(desk, ada, work.actions[0], "approved")
    first = await desk.call(agent, tool, **CALLS[tool](work))
    assert [(item["kind"], item["refCode"], item["text"]) for item in first["news"]] == [
        ("action.reviewed", "PEN-1", APPROVED)
    ]
    assert "news" not in await desk.call(agent, "list_available_specs")
    assert "news" not in await desk.call(agent, "claim_action", action_pid=work.actions[2]["pid"])


async def test_an_attachment_link_carries_it_too(desk, ada, work, terminal):
    attached = await attach(desk, ada, work.spec_id)
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "approved")
    assert texts(await desk.call(agent, "get_attachment_url", attachment_pid=attached)) == [APPROVED]
    assert texts(await desk.call(agent, "list_available_specs")) == []


async def test_requested_changes_are_told_to_who_submitted_and_to_no_other_terminal(desk, ada, work, terminal):
    submitter, other = terminal(process="1"), terminal(process="2")
    await claim_and_submit(desk, submitter, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    for tool in ("list_available_specs", "claim_action", "get_action_brief"):
        assert "news" not in await desk.call(other, tool, **CALLS[tool](work))
    assert "news" not in await desk.call(other, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert texts(await desk.call(submitter, "claim_action", action_pid=work.actions[1]["pid"])) == [CHANGES]
    rework = await desk.call(submitter, "claim_action", action_pid=work.actions[0]["pid"])
    assert "news" not in rework


async def test_claiming_the_rework_itself_tells_why(desk, ada, work, terminal):
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    assert texts(await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])) == [CHANGES]


async def test_who_did_the_rework_hears_the_next_verdict(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    await claim_and_submit(desk, first, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    await submit(desk, second, work.actions[0], "resubmit_for_review")
    await judge(desk, ada, work.actions[0], "approved")
    assert texts(await desk.call(second, "list_available_specs")) == [APPROVED]
    assert texts(await desk.call(first, "list_available_specs")) == [CHANGES]


async def test_what_comes_after_a_release_is_for_the_next_holder(desk, ada, work, terminal):
    holder, other = terminal(process="1"), terminal(process="2")
    await desk.call(holder, "claim_action", action_pid=work.actions[0]["pid"])
    await another_claimed(desk, holder, work)
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"])
    await claim_and_submit(desk, other, work.actions[0])
    await judge(desk, ada, work.actions[0], "approved")
    with refused(RuleBroken):
        await desk.call(holder, "report_commit", action_pid=work.actions[0]["pid"], sha=SHA, message="Late")
    released = "Ada released your claim on PEN-1: stop working on it."
    assert texts(await progress_on(desk, holder, work.actions[1])) == [released]
    assert texts(await desk.call(other, "list_available_specs")) == [APPROVED]


async def test_a_release_by_a_person_says_to_stop_and_why(desk, ada, work, terminal):
    holder = terminal(process="1")
    await desk.call(holder, "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"], reason="It takes too long.")
    news = texts(await desk.call(holder, "list_available_specs"))
    assert news == ["Ada released your claim on PEN-1: stop working on it. Reason: It takes too long."]


async def test_rework_that_is_handed_to_another_agent_is_news_to_who_submitted(desk, ada, work, terminal):
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"])
    assert texts(await desk.call(agent, "list_available_specs")) == [
        CHANGES,
        "Ada handed the changes requested on PEN-1 to another agent: leave them.",
    ]


async def test_an_answer_reaches_the_agent_that_went_on_with_something_else(desk, ada, work, terminal):
    agent = terminal(process="1")
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    question = await desk.call(agent, "request_clarification", action_pid=work.actions[0]["pid"], question="Which?")
    await another_claimed(desk, agent, work)
    await desk.call(ada, "answer_question", clarification_pid=question["pid"], answer="The first.")
    news = (await progress_on(desk, agent, work.actions[1]))["news"]
    assert [(item["refCode"], item["text"]) for item in news] == [
        ("PEN-1", "Ada answered your question on PEN-1: The first.")
    ]


async def test_a_refused_call_takes_no_news(desk, ada, work, terminal):
    agent, other = terminal(process="1"), terminal(process="2")
    await claim_and_submit(desk, agent, work.actions[0])
    await another_claimed(desk, other, work)
    await judge(desk, ada, work.actions[0], "approved")
    for tool, arguments in (
        ("get_spec", {"spec_pid": work.actions[0]["pid"]}),
        ("claim_action", {"action_pid": work.actions[1]["pid"]}),
        ("list_available_specs", {"cursor": "nonsense"}),
    ):
        with refused(Refusal):
            await desk.call(agent, tool, **arguments)
    assert texts(await desk.call(agent, "list_available_specs")) == [APPROVED]


async def test_a_repeated_call_has_the_same_news(desk, ada, work, terminal):
    """The answer may have been lost on the way, and the news with it."""
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "approved")
    keyed = {"action_pid": work.actions[1]["pid"], "idempotency_key": "claim-2"}
    for _attempt in range(2):
        assert texts(await desk.call(agent, "claim_action", **keyed)) == [APPROVED]
    assert texts(await desk.call(agent, "list_available_specs")) == []


async def test_more_than_one_answer_holds_comes_with_the_next(desk, ada, work, terminal, monkeypatch):
    monkeypatch.setattr("pendesk.operations.session_news.NEWS_ITEMS", 1)
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    await desk.call(ada, "release_claim", action_pid=work.actions[0]["pid"])
    listed = [texts(await desk.call(agent, "list_available_specs")) for _call in range(3)]
    assert [len(news) for news in listed] == [1, 1, 0]
    assert listed[0] == [CHANGES]


# Where nothing tells terminals of one token apart


async def test_without_marks_any_terminal_hears_it_and_once_more_whoever_asks_about_the_action(
    desk, ada, work, terminal
):
    """Whoever calls next may be another one: the one that works on the action must not miss it."""
    anyone = terminal()
    await claim_and_submit(desk, anyone, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    assert texts(await desk.call(anyone, "list_available_specs")) == [CHANGES]
    assert texts(await desk.call(anyone, "list_available_specs")) == []
    assert texts(await desk.call(anyone, "get_action_brief", action_pid=work.actions[0]["pid"])) == [CHANGES]
    assert texts(await desk.call(anyone, "get_action_brief", action_pid=work.actions[0]["pid"])) == []


async def test_without_marks_one_answer_has_it_once(desk, ada, work, terminal):
    anyone = terminal()
    await claim_and_submit(desk, anyone, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    assert texts(await desk.call(anyone, "get_action_brief", action_pid=work.actions[0]["pid"])) == [CHANGES]
    assert texts(await desk.call(anyone, "list_available_specs")) == []


async def test_a_caller_without_marks_does_not_take_the_news_of_a_session_with_marks(desk, ada, work, terminal):
    holder, anyone = terminal(process="1"), terminal()
    await claim_and_submit(desk, holder, work.actions[0])
    await judge(desk, ada, work.actions[0], "changes_requested")
    assert texts(await desk.call(anyone, "list_available_specs")) == []
    assert texts(await desk.call(anyone, "get_action_brief", action_pid=work.actions[0]["pid"])) == [CHANGES]
    assert texts(await desk.call(holder, "list_available_specs")) == [CHANGES]


async def test_sessions_that_turn_out_to_be_one_hear_what_either_was_to_hear(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(client_session="a")
    await claim_and_submit(desk, first, work.actions[0])
    await desk.call(second, "claim_action", action_pid=work.actions[1]["pid"])
    await judge(desk, ada, work.actions[0], "approved")
    await desk.call(ada, "release_claim", action_pid=work.actions[1]["pid"])
    both = terminal(process="1", client_session="a")
    assert len(texts(await desk.call(both, "claim_action", action_pid=work.actions[2]["pid"]))) == 2


async def test_what_a_deleted_project_had_to_tell_is_forgotten(desk, ada, work, terminal):
    agent, owner = terminal(process="1"), await desk.person("Olga", Role.OWNER)
    other = await published_spec(desk, ada)
    await desk.call(agent, "claim_action", action_pid=other.actions[0]["pid"])
    await desk.call(ada, "release_claim", action_pid=other.actions[0]["pid"])
    await desk.call(ada, "update_project", project_id=other.project_id, state="archived")
    await desk.call(owner, "delete_project", project_id=other.project_id)
    assert "news" not in await desk.call(agent, "list_available_specs")
    assert "news" not in await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"])
    count = "SELECT count(*) FROM agent_session_news WHERE workspace_id = :workspace"
    assert await desk.store.read(desk.workspace, lambda tx: tx.one(count)) == (0,)


async def test_an_old_session_still_hears_it(desk, ada, work, terminal):
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    desk.clock.forward(3 * 24 * 60 * MINUTE)
    await judge(desk, ada, work.actions[0], "approved")
    assert texts(await desk.call(agent, "list_available_specs")) == [APPROVED]


@pytest.mark.parametrize("tool", ["list_available_specs", "get_action_brief"])
async def test_of_many_calls_at_once_one_has_the_news(desk, ada, work, terminal, tool):
    agent = terminal(process="1")
    await claim_and_submit(desk, agent, work.actions[0])
    await judge(desk, ada, work.actions[0], "approved")
    answers = await asyncio.gather(*(desk.call(agent, tool, **CALLS[tool](work)) for _call in range(10)))
    assert [text for answer in answers for text in texts(answer)] == [APPROVED]


async def test_verdicts_and_calls_of_the_session_do_not_wait_for_each_other_in_a_circle(desk, ada, work, terminal):
    """Each call notes a sign of life of its session and then locks the action; each verdict has locked it before."""
    agent = terminal(process="1")
    for action in work.actions[:3]:
        await claim_and_submit(desk, agent, action)
    desk.clock.forward(MINUTE)
    calls = [desk.call(agent, "get_action_brief", action_pid=action["pid"]) for action in work.actions[:3]]
    verdicts = [judge(desk, ada, action, "changes_requested") for action in work.actions[:3]]
    answers = await asyncio.gather(*calls, *verdicts)
    news = [text for answer in answers[:3] for text in texts(answer)]
    news += texts(await desk.call(agent, "list_available_specs"))
    assert sorted(news) == [CHANGES.replace("PEN-1", f"PEN-{number}") for number in (1, 2, 3)]
