"""From submitted to confirmed, with a review in between."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.errors import BadField, Conflict, HeldByAnother, MissingScope, RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "a" * 40
NEXT_SHA = "b" * 40


@pytest.fixture
async def held(desk):
    ada, rita = await desk.person("Ada"), await desk.person("Rita")
    work = await published_spec(desk, ada, actions=2, chain=True)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    commit = {"sha": SHA, "message": "Build it", "criterion_ids": action["criteria"]}
    await desk.call(ada, "report_commit", action_pid=action["pid"], **commit)
    return ada, rita, work, action


async def hand_in(desk, actor, action, operation="submit_for_review", **more):
    return await desk.call(
        actor,
        operation,
        action_pid=action["pid"],
        pr_url="https://example.com/pr/1",
        summary="It works.",
        evidence=[{"criterionId": one, "evidence": "Shown in the test."} for one in action["criteria"]],
        **more,
    )


async def review(desk, actor, action, verdict, criteria, **more):
    verdicts = [{"criterionId": one, "verdict": word} for one, word in criteria.items()]
    return await desk.call(
        actor,
        "review_action",
        action_pid=action["pid"],
        verdict=verdict,
        summary="Looked at it.",
        verdicts=verdicts,
        **more,
    )


def confirmed(action):
    return dict.fromkeys(action["criteria"], "confirmed")


async def brief_of(desk, actor, action):
    return await desk.call(actor, "get_action_brief", action_pid=action["pid"])


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com@evil.test/acme/harbour/pull/1",
        "https://github.com\\@evil.test/pull/1",
        "http://127.0.0.1:8080/pull/1",
        "http://2130706433/pull/1",
        "http://localhost/pull/1",
        "https://10.0.0.7/pull/1",
        "http://[::1]/pull/1",
    ],
)
async def test_a_pull_request_is_not_somewhere_else_than_it_looks(desk, held, url):
    ada, _, _, action = held
    with refused(BadField) as caught:
        await desk.call(ada, "submit_for_review", action_pid=action["pid"], pr_url=url, summary="It works.")
    assert caught.refusal.details["field"] == "pr_url"


async def test_a_pull_request_on_a_private_host_is_taken_where_the_code_is(desk, held):
    ada, _, work, action = held
    await desk.call(ada, "update_project", project_id=work.project_id, repository_url="http://gitea.lan:3000/a/b")
    asked = {"action_pid": action["pid"], "summary": "It works."}
    with refused(BadField) as caught:
        await desk.call(ada, "submit_for_review", pr_url="http://gitea.lan:3001/a/b/pulls/1", **asked)
    assert "gitea.lan:3001" in caught.refusal.message
    await desk.call(ada, "submit_for_review", pr_url="http://gitea.lan:3000/a/b/pulls/1", **asked)


async def test_submitting_locks_the_action_validates_with_evidence_and_frees_the_slot(desk, held):
    ada, _, _, action = held
    answer = await hand_in(desk, ada, action)
    assert (answer["status"], answer["claimedBy"]) == ("in-review", None)
    brief = await brief_of(desk, ada, action)
    assert {one["status"] for one in brief["action"]["acceptanceCriteria"]} == {"validated"}
    with refused(RuleBroken, "in_review"):
        await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="More.")
    other = await published_spec(desk, ada, actions=3)
    for one in other.actions:
        await desk.call(ada, "claim_action", action_pid=one["pid"])


async def test_submitting_twice_names_the_right_tool(desk, held):
    ada, _, _, action = held
    await hand_in(desk, ada, action)
    with refused(RuleBroken, "in_review") as caught:
        await hand_in(desk, ada, action)
    assert "resubmit_for_review" in caught.refusal.message


async def submit_code(desk, actor, action, operation="submit_for_review", **code):
    return await desk.call(actor, operation, action_pid=action["pid"], summary="It works.", **code)


@pytest.mark.parametrize(
    ("code", "field", "words"),
    [
        ({}, "pr_url", ["branch", "head_sha"]),
        ({"branch": "sign-in"}, "head_sha", ["beside branch"]),
        ({"head_sha": SHA}, "branch", ["beside head_sha"]),
        ({"branch": "sign-in", "head_sha": SHA[:7]}, "head_sha", ["full commit SHA"]),
    ],
)
async def test_without_a_pull_request_the_refusal_names_what_is_missing(desk, held, code, field, words):
    ada, _, _, action = held
    with refused(BadField, "bad_field") as caught:
        await submit_code(desk, ada, action, **code)
    assert caught.refusal.details["field"] == field
    assert all(word in caught.refusal.message for word in words)


async def test_a_project_with_a_repository_wants_the_pull_request(desk, held):
    ada, _, work, action = held
    await desk.call(ada, "update_project", project_id=work.project_id, repository_url="https://example.com/ada/desk")
    with refused(BadField, "bad_field") as caught:
        await submit_code(desk, ada, action, branch="sign-in", head_sha=SHA)
    assert caught.refusal.details["field"] == "pr_url"
    assert "has a repository" in caught.refusal.message


async def test_a_branch_and_its_head_do_instead_of_a_pull_request_and_are_shown_everywhere(desk, held):
    ada, rita, _, action = held
    await submit_code(desk, ada, action, branch="sign-in", head_sha=f" {NEXT_SHA.upper()} ")
    brief = await brief_of(desk, ada, action)
    assert brief["submission"] == {"number": 1, "by": "Ada", "branch": "sign-in", "headSha": NEXT_SHA}
    page = (await desk.call(rita, "get_review", action_id=action["pid"]))["submission"]
    assert (page["prUrl"], page["branch"], page["headSha"]) == (None, "sign-in", NEXT_SHA)
    row = (await desk.call(rita, "get_action", action_id=action["pid"]))["submissions"][0]
    assert (row["prUrl"], row["branch"], row["headSha"]) == (None, "sign-in", NEXT_SHA)
    need = (await desk.call(rita, "get_inbox", kind="review"))["items"][0]
    assert ("prUrl" in need, need["branch"], need["headSha"]) == (False, "sign-in", NEXT_SHA)
    timeline = await desk.call(rita, "get_timeline", action_pid=action["pid"])
    details = {event["kind"]: event["detail"] for event in timeline["events"]}
    assert details["action.submitted"] == f"sign-in at {NEXT_SHA[:7]}: It works."


async def test_a_branch_does_for_resubmitting_too(desk, held):
    ada, rita, _, action = held
    await submit_code(desk, ada, action, branch="sign-in", head_sha=SHA)
    await review(desk, rita, action, "changes_requested", {})
    with refused(BadField, "bad_field") as caught:
        await submit_code(desk, ada, action, "resubmit_for_review")
    assert caught.refusal.details["field"] == "pr_url"
    await submit_code(desk, ada, action, "resubmit_for_review", branch="sign-in", head_sha=NEXT_SHA)
    page = await desk.call(rita, "get_review", action_id=action["pid"])
    assert (page["submission"]["number"], page["submission"]["headSha"]) == (2, NEXT_SHA)


async def test_what_was_not_claimed_cannot_be_submitted(desk, held):
    ada, _, work, _ = held
    with refused(RuleBroken, "not_claimed"):
        await hand_in(desk, ada, work.actions[1])


async def test_evidence_for_an_unknown_criterion_is_refused_and_nothing_is_handed_in(desk, held):
    ada, _, work, action = held
    wrong = {**action, "criteria": work.actions[1]["criteria"]}
    with refused(RuleBroken, "unknown_criterion"):
        await hand_in(desk, ada, wrong)
    assert (await brief_of(desk, ada, action))["action"]["status"] == "started"


async def test_an_approval_confirms_every_criterion_and_unblocks_what_waited(desk, held):
    ada, rita, work, action = held
    await hand_in(desk, ada, action)
    answer = await review(desk, rita, action, "approved", confirmed(action), head_sha=SHA)
    assert answer["status"] == "complete"
    brief = await brief_of(desk, ada, action)
    assert {one["status"] for one in brief["action"]["acceptanceCriteria"]} == {"confirmed"}
    assert (await desk.call(ada, "claim_action", action_pid=work.actions[1]["pid"]))["status"] == "started"


async def test_approving_without_a_verdict_on_each_criterion_is_refused(desk, held):
    ada, rita, _, action = held
    await hand_in(desk, ada, action)
    with refused(RuleBroken, "criteria_not_confirmed") as caught:
        await review(desk, rita, action, "approved", {action["criteria"][0]: "confirmed"})
    assert caught.refusal.details["missing"] == action["criteria"][1:]


async def test_requested_changes_come_back_as_news_and_items_to_answer(desk, held):
    ada, rita, _, action = held
    await hand_in(desk, ada, action)
    await review(
        desk,
        rita,
        action,
        "changes_requested",
        {action["criteria"][0]: "confirmed", action["criteria"][1]: "rejected"},
        items=[{"text": "Name the field in the message."}],
    )
    fix = {"sha": NEXT_SHA, "message": "Fix it", "criterion_ids": action["criteria"][:1]}
    commit = await desk.call(ada, "report_commit", action_pid=action["pid"], **fix)
    assert commit["news"][0]["text"] == "Rita requested changes on PEN-1; get_action_brief lists them. Looked at it."
    brief = await brief_of(desk, ada, action)
    assert brief["review"]["verdict"] == "changes_requested"
    items = brief["review"]["items"]
    assert [one["text"] for one in items] == ["Name the field in the message.", "Not met: Criterion 1.2 holds"]
    # One is left without an answer, which the reviewer sees.
    dispositions = [{"itemId": items[0]["id"], "disposition": "fixed", "note": f"In {NEXT_SHA}"}]
    answer = await hand_in(desk, ada, action, "resubmit_for_review", dispositions=dispositions)
    assert answer["status"] == "in-review"
    with refused(Conflict, "submission_moved"):
        await review(desk, rita, action, "approved", confirmed(action), head_sha=SHA)
    done = await review(desk, rita, action, "approved", confirmed(action), head_sha=NEXT_SHA)
    assert done["status"] == "complete"


async def test_a_submission_is_reviewed_once(desk, held):
    ada, rita, _, action = held
    await hand_in(desk, ada, action)
    await review(desk, rita, action, "changes_requested", {})
    with refused(RuleBroken, "already_reviewed"):
        await review(desk, rita, action, "approved", confirmed(action))


async def test_only_the_submitter_may_resubmit_and_only_in_review(desk, held):
    ada, rita, _, action = held
    with refused(RuleBroken, "not_in_review"):
        await hand_in(desk, ada, action, "resubmit_for_review")
    await hand_in(desk, ada, action)
    with refused(HeldByAnother):
        await hand_in(desk, rita, action, "resubmit_for_review")


async def test_no_token_can_review(desk, held):
    ada, _, _, action = held
    await hand_in(desk, ada, action)
    agent = ada._replace(scopes=BUILDING_SCOPES, via="mcp")
    with refused(MissingScope):
        await review(desk, agent, action, "approved", confirmed(action))


async def test_submitting_on_a_superseded_build_is_accepted_and_says_what_to_do(desk, held):
    ada, _, work, action = held
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach="Another way.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    answer = await hand_in(desk, ada, action)
    assert answer["status"] == "in-review"
    assert "newer build" in answer["advisory"]
    assert "resubmit_for_review" in answer["next_step"]


async def test_who_has_read_the_newer_build_before_submitting_hears_no_more_of_it(desk, held):
    ada, _, work, action = held
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    answer = await hand_in(desk, ada, action)
    assert "newer build" not in answer.get("advisory", "")
    assert answer["next_step"].startswith("Submitted. Stop working")
    assert "resubmit_for_review" not in answer["next_step"]


async def test_a_person_can_take_an_action_out_of_an_agents_hands(desk, held):
    ada, rita, _, action = held
    answer = await desk.call(rita, "release_claim", action_pid=action["pid"], reason="It stands still.")
    assert (answer["status"], answer["claimedBy"]) == ("not-started", None)
    with refused(RuleBroken, "not_claimed"):
        await desk.call(rita, "release_claim", action_pid=action["pid"], reason="Again.")
    with refused(RuleBroken, "not_claimed"):
        await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="More.")
