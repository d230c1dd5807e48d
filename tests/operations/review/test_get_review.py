"""What a reviewer is shown: each criterion with all that speaks for it, and what speaks for none."""

import pytest

from pendesk.domain.errors import Conflict, NotFound, RuleBroken
from pendesk.domain.limits import CRITERION_RESULTS_SHOWN, REVIEW_TEXT_CHARS
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

FIRST, SECOND, THIRD = "1" * 40, "2" * 40, "3" * 40
PR = "https://example.com/pr/1"
REPORT = """<testsuite name="all">
<testcase classname="tests.sign_in" name="test_AC_1_signs_in"/>
<testcase classname="tests.sign_in" name="test_colours"/>
</testsuite>"""


@pytest.fixture
async def floor(desk):
    author, ada = await desk.person("Author"), await desk.person("Ada")
    work = await published_spec(desk, author, actions=1, criteria=2, participants=(ada,))
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"], agent_model="opus-5")
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    return author, ada, work, action


async def commit(desk, ada, action, sha, *criteria):
    await desk.call(
        ada, "report_commit", action_pid=action["pid"], sha=sha, message=f"Step {sha[0]}", criterion_ids=list(criteria)
    )


async def hand_in(desk, ada, action, operation="submit_for_review", **more):
    desk.clock.forward(MINUTE)
    asked = {"action_pid": action["pid"], "pr_url": PR, "summary": "It works.", **more}
    return await desk.call(ada, operation, **asked)


async def review_of(desk, person, action):
    return await desk.call(person, "get_review", action_id=action["refCode"])


async def test_each_criterion_has_its_commits_tests_evidence_and_questions(desk, floor):
    author, ada, _, action = floor
    one, two = action["criteria"]
    asked = await desk.call(ada, "request_clarification", action_pid=action["pid"], question="Is AC-2 about admins?")
    await desk.call(author, "answer_question", clarification_pid=asked["pid"], answer="Yes.")
    await commit(desk, ada, action, FIRST, one)
    await commit(desk, ada, action, SECOND)
    await desk.call(ada, "report_test_result", action_pid=action["pid"], criterion_id=two, outcome="failed")
    await desk.call(ada, "upload_test_report", action_pid=action["pid"], format="junit", content=REPORT)
    await hand_in(
        desk,
        ada,
        action,
        evidence=[{"criterionId": two, "evidence": "Seen by eye."}],
        unmet=[{"criterionId": two, "reason": "It fails for admins."}],
    )
    told = await review_of(desk, author, action)
    second, first = told["criteria"]
    assert (second["number"], second["evidenceState"], second["unmet"]) == (2, "failing", "It fails for admins.")
    assert (first["text"], first["status"], first["commits"]) == ("Criterion 1.1 holds", "validated", [FIRST])
    assert [(piece["level"], piece["sha"]) for piece in first["evidence"]] == [("artifact", SECOND)]
    assert [test["outcome"] for test in first["tests"]] == ["passed"]
    assert (second["commits"], second["questions"]) == ([], [asked["pid"]])
    assert [(piece["level"], piece["text"]) for piece in second["evidence"]] == [("claimed", "Seen by eye.")]
    assert [test["outcome"] for test in second["tests"]] == ["failed"]
    assert [(each["sha"], each["criterionIds"]) for each in told["commits"]] == [(SECOND, []), (FIRST, [one])]
    assert told["orphanTests"]["names"] == ["tests.sign_in::test_colours"]
    (question,) = told["questions"]
    assert (question["answer"], question["criterionIds"]) == ("Yes.", [two])
    assert question["answeredBy"]["name"] == "Author"


async def test_the_submission_tells_who_and_on_what(desk, floor):
    author, ada, _, action = floor
    await commit(desk, ada, action, FIRST)
    await hand_in(desk, ada, action)
    told = await review_of(desk, author, action)
    handed = told["submission"]
    assert (handed["number"], handed["headSha"], handed["build"], handed["waiting"]) == (1, FIRST, "B1", True)
    assert handed["who"] == {"name": "Ada", "kind": "person", "userId": ada.user_id, "agentModel": "opus-5"}
    assert (told["refCode"], told["specTitle"], told["checksSay"]) == ("PEN-1", "Sign in", "none")
    assert "advisory" not in handed
    assert "sinceLast" not in told


async def test_what_is_new_since_the_last_submission_is_marked_and_counted(desk, floor):
    author, ada, work, action = floor
    one, two = action["criteria"]
    await commit(desk, ada, action, FIRST, one)
    await hand_in(desk, ada, action, evidence=[{"criterionId": one, "evidence": "First."}])
    verdicts = [{"criterionId": two, "verdict": "rejected", "note": "Not shown."}]
    sent_back = {"verdict": "changes_requested", "summary": "Show the second.", "verdicts": verdicts}
    await desk.call(author, "review_action", action_pid=action["pid"], **sent_back)
    desk.clock.forward(MINUTE)
    await desk.call(author, "update_spec", spec_id=work.spec_id, boundaries=["No single sign-on", "No magic links"])
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    await commit(desk, ada, action, SECOND, two)
    await desk.call(ada, "report_test_result", action_pid=action["pid"], criterion_id=two, outcome="passed")
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    done = [{"itemId": brief["review"]["items"][0]["id"], "disposition": "fixed", "note": f"In {SECOND[:8]}."}]
    await hand_in(desk, ada, action, "resubmit_for_review", dispositions=done)
    told = await review_of(desk, author, action)
    since = told["sinceLast"]
    assert (since["number"], since["headSha"]) == (1, FIRST)
    assert (since["commits"], since["evidence"], since["tests"]) == (1, 1, 1)
    added = {"change": "added", "parts": [{"change": "added", "text": "No magic links"}]}
    assert since["brief"] == [{"field": "spec.boundaries", "items": [added]}]
    assert [each.get("fresh", False) for each in told["commits"]] == [True, False]
    first, second = told["criteria"]
    assert (first.get("verdict"), second["verdict"]["note"]) == (None, "Not shown.")
    (earlier,) = told["reviews"]
    assert [(item["text"], item["disposition"], item["note"]) for item in earlier["items"]] == [
        ("Not shown.", "fixed", f"In {SECOND[:8]}.")
    ]
    assert "B2 was published after this work was claimed on B1. The agent has read B2" in told["submission"]["advisory"]
    assert told["briefChanges"] == since["brief"]


async def test_a_long_text_of_the_brief_shows_what_changed_and_what_stands_around_it(desk, floor):
    author, ada, work, action = floor
    await desk.call(author, "update_action", action_id=action["pid"], description="a word " * 100 + "old end")
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    await hand_in(desk, ada, action)
    desk.clock.forward(MINUTE)
    await desk.call(author, "update_action", action_id=action["pid"], description="a word " * 100 + "new end")
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    await hand_in(desk, ada, action, "resubmit_for_review")
    (field,) = (await review_of(desk, author, action))["sinceLast"]["brief"]
    assert field["field"] == "action.description"
    same, removed, added, end = field["parts"]
    assert (removed["text"], added["text"], end["text"]) == ("old", "new", " end")
    assert len(same["text"]) < 200
    assert "…" in same["text"]


async def test_a_newer_build_that_left_the_brief_alone_says_so(desk, floor):
    author, ada, work, action = floor
    await hand_in(desk, ada, action)
    desk.clock.forward(MINUTE)
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    told = await review_of(desk, author, action)
    assert told["submission"]["advisory"].endswith("The brief of this action reads the same.")
    assert told["briefChanges"] == []


async def test_evidence_that_went_stale_says_why_and_a_reworded_criterion_shows_both_texts(desk, floor):
    author, ada, _, action = floor
    one, _ = action["criteria"]
    await hand_in(desk, ada, action, evidence=[{"criterionId": one, "evidence": "Shown."}])
    await desk.call(author, "update_criterion", criterion_id=one, text="Criterion 1.1 holds twice")
    await desk.call(author, "create_criterion", action_id=action["pid"], text="And a new one")
    told = await review_of(desk, author, action)
    unproven, first = told["criteria"]
    assert [unproven["evidenceState"], first["evidenceState"]] == ["none", "stale"]
    assert (first["text"], first["nowReads"]) == ("Criterion 1.1 holds", "Criterion 1.1 holds twice")
    assert first["evidence"][0]["stale"]
    assert told["unpublished"] == 1


async def test_a_judged_submission_waits_no_more(desk, floor):
    author, ada, _, action = floor
    await hand_in(desk, ada, action)
    verdicts = [{"criterionId": each, "verdict": "confirmed"} for each in action["criteria"]]
    good = {"verdict": "approved", "summary": "Good.", "verdicts": verdicts}
    await desk.call(author, "review_action", action_pid=action["pid"], submission_number=1, **good)
    told = await review_of(desk, author, action)
    assert (told["state"], told["submission"]["waiting"]) == ("done", False)
    assert {trace["verdict"]["verdict"] for trace in told["criteria"]} == {"confirmed"}
    best = told["criteria"][0]["evidence"][0]
    assert (best["level"], best["text"]) == ("human", "Confirmed in the review of submission 1.")


async def test_a_verdict_on_a_submission_that_was_handed_in_again_is_refused_and_says_which_is_newest(desk, floor):
    """The same head may be handed in again: the SHA alone would not tell."""
    author, ada, _, action = floor
    await commit(desk, ada, action, FIRST)
    await hand_in(desk, ada, action)
    await hand_in(desk, ada, action, "resubmit_for_review", summary="With a better summary.")
    sent_back = {"verdict": "changes_requested", "summary": "No.", "head_sha": FIRST, "submission_number": 1}
    with refused(Conflict, "submission_moved") as caught:
        await desk.call(author, "review_action", action_pid=action["pid"], **sent_back)
    assert caught.refusal.details == {"headSha": FIRST, "submissionNumber": 2}
    await desk.call(author, "review_action", action_pid=action["pid"], **sent_back | {"submission_number": 2})


async def test_long_texts_are_cut_and_each_criterion_shows_its_newest_tests(desk, floor):
    author, ada, _, action = floor
    one, two = action["criteria"]
    for number in range(CRITERION_RESULTS_SHOWN + 2):
        desk.clock.forward(MINUTE)
        told = {"action_pid": action["pid"], "outcome": "passed", "evidence": f"{number} " + "x" * 3_000}
        await desk.call(ada, "report_test_result", criterion_id=one, **told)
    await desk.call(ada, "report_test_result", criterion_id=two, **told)
    await hand_in(desk, ada, action)
    first, second = (await review_of(desk, author, action))["criteria"]
    assert [test["text"][0] for test in first["tests"]] == ["6", "5", "4", "3", "2"]
    assert len(first["tests"][0]["text"]) == REVIEW_TEXT_CHARS
    assert len(second["tests"]) == 1


async def test_what_was_never_handed_in_has_nothing_to_review(desk, floor):
    author, _, _, action = floor
    with refused(RuleBroken, "not_submitted"):
        await review_of(desk, author, action)
    with refused(NotFound):
        await desk.call(author, "get_review", action_id="PEN-99")


async def test_a_plain_task_is_read_as_it_stands(desk):
    ada = await desk.person("Ada")
    project = await desk.call(ada, "create_project", name="Plain", key="PLN")
    task = await desk.call(ada, "create_task", project_id=project["pid"], label="Do it", status="todo")
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    await desk.call(ada, "submit_for_review", action_pid=task["pid"], pr_url=PR, summary="Done.")
    told = await desk.call(ada, "get_review", action_id="PLN-1")
    assert (told["criteria"], told["specId"], told["submission"]["build"]) == ([], None, None)
