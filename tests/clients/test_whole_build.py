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
    first_id, second_id = action["criteria"]

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
            step("report_commit", sha=FIRST, message="Form", criterion_ids=[first_id], branch="sign-in", **about),
            step("report_commit", sha=SECOND, message="Hash", files_changed=2, criterion_ids=[second_id], **about),
            *(
                step(
                    "report_test_result",
                    criterion_id=criterion_id,
                    outcome=outcome,
                    evidence="tests/test_form.py",
                    **about,
                )
                for criterion_id in (first_id, second_id)
                for outcome in ("failed", "passed")
            ),
            step(
                "submit_for_review",
                pr_url=PULL,
                summary="The form and the hash.",
                evidence=[
                    {"criterionId": criterion_id, "evidence": "12 of 12 passed"}
                    for criterion_id in (first_id, second_id)
                ],
                claim_id="$3.claim.id",
                brief_rev="$4.briefRev",
                **about,
            ),
        ],
        answer_questions,
    )
    listed, spec, claimed, brief, request, progress, *reports, submitted = built.answers

    assert built.tools == {operation.name for operation in BUILDING}
    assert [row["refCode"] for row in listed["specs"][0]["actions"]] == [row["refCode"] for row in work.actions]
    assert spec["plan"]["approach"] == "Begin with the form."
    assert claimed["status"] == "started"
    assert claimed["claim"]["fence"] == 1
    assert [criterion["id"] for criterion in brief["action"]["acceptanceCriteria"]] == [first_id, second_id]
    assert request["status"] == "open"
    assert [news["kind"] for news in progress["news"]] == ["clarification.answered"]
    assert progress["news"][0]["text"].endswith(f" answered your question on {action['refCode']}: {ANSWER}")
    assert [report["recorded"] for report in reports] == [True] * 6
    assert submitted["status"] == "in-review"

    server.person(
        "review_action",
        action_pid=action["pid"],
        verdict="changes_requested",
        summary="Nearly.",
        verdicts=[{"criterionId": first_id, "verdict": "confirmed"}, {"criterionId": second_id, "verdict": "rejected"}],
        items=[{"text": "Show the error beside the field."}],
    )
    second = play(
        client,
        server,
        agent,
        [
            step("list_available_specs"),
            step("get_action_brief", **about),
            step("report_commit", sha=THIRD, message="Errors beside their fields", criterion_ids=[second_id], **about),
            step(
                "report_test_result", criterion_id=second_id, outcome="passed", evidence="tests/test_form.py", **about
            ),
            step(
                "resubmit_for_review",
                pr_url=PULL,
                summary="Both items are done.",
                evidence=[{"criterionId": second_id, "evidence": "14 of 14 passed"}],
                dispositions=[
                    {"itemId": "$2.review.items.0.id", "disposition": "fixed", "note": f"In {THIRD}."},
                    {"itemId": "$2.review.items.1.id", "disposition": "declined", "note": "It is met: see the test."},
                ],
                **about,
            ),
        ],
    )
    _listed, brief, _commit, _test, resubmitted = second.answers
    assert brief["review"]["verdict"] == "changes_requested"
    assert brief["review"]["items"][0]["text"] == "Show the error beside the field."
    assert brief["answeredClarifications"][0]["answer"] == ANSWER
    assert resubmitted["status"] == "in-review"

    approved = server.person(
        "review_action",
        action_pid=action["pid"],
        verdict="approved",
        summary="Good.",
        verdicts=[{"criterionId": criterion_id, "verdict": "confirmed"} for criterion_id in (first_id, second_id)],
    )
    assert approved["status"] == "complete"
    kinds = [event["kind"] for event in server.events(action["pid"])]
    assert kinds.count("commit.reported") == 3
    assert kinds.count("test.reported") == 5
    assert kinds[-2:] == ["action.reviewed", "criterion.advanced"]
