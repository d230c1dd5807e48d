"""A whole build with a real client: from what there is to do until a person has approved it."""

from typing import Any

from pendesk.operations.registry import BUILDING
from tests.clients.agents import play, step
from tests.clients.running import RunningServer

FIRST, SECOND, THIRD = "1" * 40, "2" * 40, "3" * 40
PULL = "https://git.example.com/pull/7"
QUESTION, ANSWER = "Which hash: argon2 or bcrypt?", "argon2."


def test_a_build_from_the_list_to_done(server: RunningServer, client: str):
    agent = server.agent("Builder")
    work = server.work(agent, actions=2, criteria=2)
    action = work.actions[0]
    one, two = action["criteria"]

    def answer_questions(tool: str, answer: dict[str, Any]) -> None:
        if tool == "request_clarification":
            server.person("answer_question", clarification_pid=answer["pid"], answer=ANSWER)

    about = {"action_pid": "$1.specs.0.actions.0.pid"}
    built = play(
        client,
        server,
        agent,
        [
            step("list_available_specs"),
            step("get_spec", spec_pid="$1.specs.0.pid"),
            step("claim_action", agent_model="scripted", **about),
            step("get_action_brief", **about),
            step("request_clarification", question=QUESTION, **about),
            step("update_progress", status="started", message="Read the brief, began with the form.", **about),
            step("report_commit", sha=FIRST, message="Form", criterion_ids=[one], branch="sign-in", **about),
            step("report_commit", sha=SECOND, message="Hash", files_changed=2, criterion_ids=[two], **about),
            *(
                step("report_test_result", criterion_id=each, outcome=outcome, evidence="tests/test_form.py", **about)
                for each in (one, two)
                for outcome in ("failed", "passed")
            ),
            step(
                "submit_for_review",
                pr_url=PULL,
                summary="The form and the hash.",
                evidence=[{"criterionId": each, "evidence": "12 of 12 passed"} for each in (one, two)],
                claim_id="$3.claim.id",
                brief_rev="$4.briefRev",
                **about,
            ),
        ],
        answer_questions,
    )
    listed, spec, claimed, brief, asked, progress, *reports, submitted = built.answers

    assert built.tools == {operation.name for operation in BUILDING}
    assert [each["refCode"] for each in listed["specs"][0]["actions"]] == [each["refCode"] for each in work.actions]
    assert spec["plan"]["approach"] == "Begin with the form."
    assert claimed["status"] == "started"
    assert claimed["claim"]["fence"] == 1
    assert [each["id"] for each in brief["action"]["acceptanceCriteria"]] == [one, two]
    assert asked["status"] == "open"
    assert [(news["kind"], news["text"]) for news in progress["news"]] == [("clarification.answered", ANSWER)]
    assert [report["recorded"] for report in reports] == [True] * 6
    assert submitted["status"] == "in-review"

    server.person(
        "review_action",
        action_pid=action["pid"],
        verdict="changes_requested",
        summary="Nearly.",
        verdicts=[{"criterionId": one, "verdict": "confirmed"}, {"criterionId": two, "verdict": "rejected"}],
        items=[{"text": "Show the error beside the field."}],
    )
    again = play(
        client,
        server,
        agent,
        [
            step("list_available_specs"),
            step("get_action_brief", **about),
            step("report_commit", sha=THIRD, message="Errors beside their fields", criterion_ids=[two], **about),
            step("report_test_result", criterion_id=two, outcome="passed", evidence="tests/test_form.py", **about),
            step(
                "resubmit_for_review",
                pr_url=PULL,
                summary="Both items are done.",
                evidence=[{"criterionId": two, "evidence": "14 of 14 passed"}],
                dispositions=[
                    {"itemId": "$2.review.items.0.id", "disposition": "fixed", "note": f"In {THIRD}."},
                    {"itemId": "$2.review.items.1.id", "disposition": "declined", "note": "It is met: see the test."},
                ],
                **about,
            ),
        ],
    )
    _listed, brief, _commit, _test, resubmitted = again.answers
    assert brief["review"]["verdict"] == "changes_requested"
    assert brief["review"]["items"][0]["text"] == "Show the error beside the field."
    assert brief["answeredClarifications"][0]["answer"] == ANSWER
    assert resubmitted["status"] == "in-review"

    approved = server.person(
        "review_action",
        action_pid=action["pid"],
        verdict="approved",
        summary="Good.",
        verdicts=[{"criterionId": each, "verdict": "confirmed"} for each in (one, two)],
    )
    assert approved["status"] == "complete"
    kinds = [event["kind"] for event in server.events(action["pid"])]
    assert kinds.count("commit.reported") == 3
    assert kinds.count("test.reported") == 5
    assert kinds[-1] == "action.reviewed"
