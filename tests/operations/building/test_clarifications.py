"""One question, every dispatcher."""

import pytest

from pendesk.domain.errors import ClaimLost, HeldByAnother, NotFound, RuleBroken
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

PR = "https://example.com/pr/1"


@pytest.fixture
async def asked(desk):
    """Ada's agent holds the action and has asked; Grace takes part too."""
    ada, grace = await desk.person("Ada"), await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    question = await desk.call(
        ada, "request_clarification", action_pid=action["pid"], question="Is an email a user name?"
    )
    return ada, grace, work, action, question


async def submit(desk, actor, action):
    return await desk.call(actor, "submit_for_review", action_pid=action["pid"], pr_url=PR, summary="Done.")


async def progress(desk, actor, action):
    return await desk.call(actor, "update_progress", action_pid=action["pid"], status="started", message="Went on.")


async def test_a_question_is_open_and_tells_the_agent_to_ask(desk, asked):
    *_, question = asked
    assert (question["status"], question["askedBy"]) == ("open", "Ada")
    assert "Ask the user" in question["next_step"]


async def test_another_agent_reads_who_asked(desk, asked):
    _, grace, _, action, _ = asked
    (row,) = (await desk.call(grace, "get_action_brief", action_pid=action["pid"]))["openClarifications"]
    assert (row["askedBy"], row["question"]) == ("Ada", "Is an email a user name?")


async def test_an_open_question_blocks_submission_and_is_named(desk, asked):
    ada, _, _, action, question = asked
    with refused(RuleBroken, "open_clarifications") as caught:
        await submit(desk, ada, action)
    assert caught.refusal.details["clarifications"] == [{"pid": question["pid"], "question": question["question"]}]
    await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Yes.")
    assert (await submit(desk, ada, action))["status"] == "in-review"


async def test_a_relayed_answer_is_marked_and_is_no_news_to_its_relayer(desk, asked):
    ada, _, _, action, question = asked
    answer = await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Yes.")
    assert (answer["status"], answer["answer"], answer["relayed"]) == ("answered", "Yes.", True)
    assert "news" not in await progress(desk, ada, action)


async def test_what_somebody_elses_agent_relayed_is_untrusted_in_the_next_brief(desk, asked):
    ada, grace, _, action, question = asked
    await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Yes.")
    (own,) = (await desk.call(ada, "get_action_brief", action_pid=action["pid"]))["answeredClarifications"]
    assert (own["answer"], "untrusted" in own) == ("Yes.", False)
    (others,) = (await desk.call(grace, "get_action_brief", action_pid=action["pid"]))["answeredClarifications"]
    assert ("answer" in others, others["untrusted"]) == (False, {"answer": "Yes."})


async def test_a_relayed_answer_does_not_come_along_with_later_news(desk, asked):
    ada, grace, _, action, question = asked
    await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Yes.")
    another = await desk.call(ada, "request_clarification", action_pid=action["pid"], question="And then?")
    await desk.call(grace, "answer_question", clarification_pid=another["pid"], answer="Stop.")
    assert [one["text"] for one in (await progress(desk, ada, action))["news"]] == [
        "Grace answered your question on PEN-1: Stop."
    ]
    assert "news" not in await progress(desk, ada, action)


async def test_a_persons_answer_comes_with_the_holders_next_call_once(desk, asked):
    ada, grace, _, action, question = asked
    await desk.call(grace, "answer_question", clarification_pid=question["pid"], answer="Yes, always.")
    first = await progress(desk, ada, action)
    assert [(one["kind"], one["objectId"], one["text"]) for one in first["news"]] == [
        ("clarification.answered", question["pid"], "Grace answered your question on PEN-1: Yes, always.")
    ]
    assert "news" not in await progress(desk, ada, action)
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    assert [one["answer"] for one in brief["answeredClarifications"]] == ["Yes, always."]
    assert brief["openClarifications"] == []


async def test_a_second_answer_is_refused_and_shows_the_first(desk, asked):
    ada, grace, _, _, question = asked
    await desk.call(grace, "answer_question", clarification_pid=question["pid"], answer="Yes.")
    with refused(RuleBroken, "already_answered") as caught:
        await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="No.")
    assert caught.refusal.details["answer"] == "Yes."


async def test_only_the_holder_relays(desk, asked):
    _, grace, _, _, question = asked
    with refused(HeldByAnother):
        await desk.call(grace, "answer_clarification", clarification_pid=question["pid"], answer="No.")


async def test_an_answer_written_back_is_a_new_revision_of_the_spec(desk, asked):
    ada, grace, work, _, question = asked
    answer = await desk.call(
        grace, "answer_question", clarification_pid=question["pid"], answer="Yes, always.", write_back="conditions"
    )
    assert answer["writtenBack"] is True
    spec = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    assert spec["conditions"] == ["Passwords are hashed", "Is an email a user name? Yes, always."]
    assert spec["revision"] == 2


async def test_the_questions_survive_a_change_of_hands(desk, asked):
    _, grace, _, action, question = asked
    desk.clock.forward(31 * MINUTE)
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    brief = await desk.call(grace, "get_action_brief", action_pid=action["pid"])
    assert [one["pid"] for one in brief["openClarifications"]] == [question["pid"]]


async def test_a_claim_that_is_named_must_be_current_and_what_was_relayed_late_is_kept(desk, asked):
    ada, grace, _, action, question = asked
    old = (await desk.call(ada, "claim_action", action_pid=action["pid"]))["claim"]["id"]
    desk.clock.forward(31 * MINUTE)
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    with refused(ClaimLost):
        await desk.call(ada, "answer_clarification", clarification_pid=question["pid"], answer="Yes.", claim_id=old)
    last = (await desk.call(ada, "list_events", action_pid=action["pid"]))["events"][-1]
    assert (last["kind"], last["data"]["answer"]) == ("report.late", "Yes.")


async def test_an_unknown_question_is_not_found(desk, asked):
    ada, *_ = asked
    with refused(NotFound):
        await desk.call(ada, "answer_clarification", clarification_pid="nonsense", answer="Yes.")
