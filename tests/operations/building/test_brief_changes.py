"""With the briefRev of what the caller has read, a brief has only what changed since."""

import pytest

from pendesk.operations.operation import encode_json
from tests.desk import MINUTE
from tests.workbench import published_spec

TEXT = "The form shows each error beside its field, and keeps what was typed. "


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3)


@pytest.fixture
async def action(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return work.actions[0]


async def brief_of(desk, actor, action, **arguments):
    return await desk.call(actor, "get_action_brief", action_pid=action["pid"], **arguments)


async def test_what_has_not_changed_is_not_repeated(desk, ada, action):
    first = await brief_of(desk, ada, action)
    again = await brief_of(desk, ada, action, brief_rev=first["briefRev"])
    assert again == {
        "availability": "mine",
        "next_step": first["next_step"],
        "briefRev": first["briefRev"],
        "unchanged": True,
        "claim": first["claim"],
        "action": {
            **{name: first["action"][name] for name in ("pid", "refCode", "label", "area", "status")},
            "acceptanceCriteria": [{"id": ident, "status": "seen"} for ident in action["criteria"]],
            "description": "",
            "paths": [],
        },
        "openClarifications": [],
        "spec": None,
        "plan": None,
        "siblingActions": [],
    }


async def test_a_changed_text_comes_as_its_difference(desk, ada, work, action):
    long = TEXT * 40
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=f"Begin with the form.\n{long}\nEnd.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    first = await brief_of(desk, ada, action)
    await desk.call(ada, "update_criterion", criterion_id=action["criteria"][0], text="It holds twice")
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=f"Begin with the tests.\n{long}\nEnd.")
    await desk.call(ada, "update_spec", spec_id=work.spec_id, boundaries=["No passkeys"])
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    again = await brief_of(desk, ada, action, brief_rev=first["briefRev"])
    assert again["briefRev"] != first["briefRev"]
    assert "unchanged" not in again
    assert again["spec"] is None
    texts = [criterion.get("text") for criterion in again["action"]["acceptanceCriteria"]]
    assert texts == ["It holds twice", None]
    assert {"field": "spec.boundaries", "added": "No passkeys"} in again["changes"]
    (approach,) = (change for change in again["changes"] if change["field"] == "plan.approach")
    assert "+Begin with the tests." in approach["diff"]
    # Its difference is longer than is shown, so the field can be read whole.
    assert again["cut"] == ["plan.approach"]
    rest = (await brief_of(desk, ada, action, brief_rev=first["briefRev"], rest="plan.approach"))["rest"]
    assert rest["text"] == f"Begin with the tests.\n{long}\nEnd."


async def test_an_older_rev_is_known_by_its_build(desk, ada, work, action):
    first = await brief_of(desk, ada, action)
    for approach in ("Second.", "Third."):
        await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=approach)
        await desk.call(ada, "publish_build", spec_id=work.spec_id)
        await brief_of(desk, ada, action)
    again = await brief_of(desk, ada, action, brief_rev=first["briefRev"])
    assert [change["diff"] for change in again["changes"]] == ["@@ -1 +1 @@\n-Begin with the form.\n+Third."]


async def test_texts_that_are_as_before_in_a_newer_build_are_unchanged(desk, ada, work, action):
    first = await brief_of(desk, ada, action)
    for approach in ("Second.", "Begin with the form."):
        await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=approach)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert (await brief_of(desk, ada, action, brief_rev=first["briefRev"]))["unchanged"]


async def test_a_rev_of_which_nothing_is_known_gives_the_whole_brief_and_says_so(desk, ada, action):
    whole = await brief_of(desk, ada, action)
    again = await brief_of(desk, ada, action, brief_rev="0" * 16)
    assert "brief_rev" in again.pop("advisory")
    assert again == whole


async def test_a_new_answer_and_a_review_are_there_in_full(desk, ada, action):
    bo = await desk.person("Bo")
    rev = (await brief_of(desk, ada, action))["briefRev"]
    answers = [TEXT * 9, TEXT * 10]
    for number, answer in enumerate(answers):
        question = await desk.call(ada, "request_clarification", action_pid=action["pid"], question="Which?")
        open_ones = (await brief_of(desk, ada, action, brief_rev=rev))["openClarifications"]
        assert [row["pid"] for row in open_ones] == [question["pid"]]
        await desk.call(bo, "answer_question", clarification_pid=question["pid"], answer=answer)
        brief = await brief_of(desk, ada, action, brief_rev=rev)
        # All of them: news has only the beginning of each, and may have come with a call about something else.
        assert [row["answer"] for row in brief["answeredClarifications"]] == answers[: number + 1]
        assert brief["unchanged"]
        assert len(brief["news"]) == 1
    about = {"action_pid": action["pid"]}
    await desk.call(ada, "submit_for_review", summary="Done", pr_url="https://git.example.com/1", **about)
    await desk.call(bo, "review_action", verdict="changes_requested", summary="No.", items=[{"text": "This."}], **about)
    brief = await brief_of(desk, ada, action, brief_rev=rev)
    assert [item["text"] for item in brief["review"]["items"]] == ["This."]


async def test_what_was_reported_and_submitted_since_is_there(desk, ada, action):
    rev = (await brief_of(desk, ada, action))["briefRev"]
    about = {"action_pid": action["pid"]}
    await desk.call(ada, "report_commit", sha="a" * 40, message="Half", branch="half-way", **about)
    assert (await brief_of(desk, ada, action, brief_rev=rev))["yourWork"]["branch"] == "half-way"
    await desk.call(ada, "submit_for_review", summary="Done", pr_url="https://git.example.com/1", **about)
    bo = await desk.person("Bo")
    for reader in (ada, bo):
        brief = await brief_of(desk, reader, action, brief_rev=rev)
        assert brief["submission"]["prUrl"] == "https://git.example.com/1"
    assert brief["handOver"]["untrusted"]["branch"] == "half-way"


async def test_it_renews_the_lease_and_marks_criteria_like_any_reading(desk, ada, work, action):
    rev = (await brief_of(desk, ada, action))["briefRev"]
    desk.clock.forward(20 * MINUTE)
    renewed = await brief_of(desk, ada, action, brief_rev=rev)
    desk.clock.forward(20 * MINUTE)
    assert (await brief_of(desk, ada, action, brief_rev=rev))["claim"]["id"] == renewed["claim"]["id"]
    await desk.call(ada, "create_criterion", action_id=action["pid"], text="A third")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    criteria = (await brief_of(desk, ada, action, brief_rev=rev))["action"]["acceptanceCriteria"]
    assert {**criteria[-1], "id": ""} == {"id": "", "text": "A third", "status": "seen"}


async def test_who_does_not_hold_it_gets_all_answers_and_no_texts(desk, ada, action):
    bo = await desk.person("Bo")
    rev = (await brief_of(desk, bo, action))["briefRev"]
    question = await desk.call(ada, "request_clarification", action_pid=action["pid"], question="Which?")
    await desk.call(bo, "answer_question", clarification_pid=question["pid"], answer="This.")
    for _ in range(2):
        brief = await brief_of(desk, bo, action, brief_rev=rev)
        assert (brief["unchanged"], len(brief["answeredClarifications"])) == (True, 1)


async def test_a_task_without_a_build_has_its_changes_too(desk, ada):
    project = await desk.call(ada, "create_project", name="Plain")
    task = await desk.call(
        ada, "create_action", project_id=project["pid"], label="Old", description="Old words", criteria=["It holds"]
    )
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    first = await brief_of(desk, ada, task)
    await desk.call(ada, "update_action", action_id=task["pid"], description="New words")
    again = await brief_of(desk, ada, task, brief_rev=first["briefRev"])
    assert again["changes"] == [{"field": "action.description", "diff": "@@ -1 +1 @@\n-Old words\n+New words"}]
    assert "advisory" not in again


async def test_a_change_is_advised_until_it_is_read_or_its_rev_is_named(desk, ada):
    await desk.call(ada, "create_project", name="Plain", key="PLN")
    task = await desk.call(ada, "create_action", project_id="PLN", label="Old", criteria=["It holds"])
    about = {"action_pid": task["pid"], "status": "started", "message": "Went on."}
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    first = await brief_of(desk, ada, task)
    assert "advisory" not in await desk.call(ada, "update_progress", **about, brief_rev=first["briefRev"])
    await desk.call(ada, "update_action", action_id=task["pid"], description="New words")
    bo = await desk.person("Bo")
    newest = (await brief_of(desk, bo, task))["briefRev"]
    for rev in ({}, {"brief_rev": first["briefRev"]}):
        assert "has changed since you read it" in (await desk.call(ada, "update_progress", **about, **rev))["advisory"]
    assert "advisory" not in await desk.call(ada, "update_progress", **about, brief_rev=newest)
    await brief_of(desk, ada, task)
    for rev in ({}, {"brief_rev": first["briefRev"]}):
        assert "advisory" not in await desk.call(ada, "update_progress", **about, **rev)


async def test_a_second_brief_is_a_small_part_of_the_first(desk, ada, work):
    await desk.call(ada, "update_spec", spec_id=work.spec_id, summary=TEXT * 20, results=[TEXT * 2] * 8)
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach=TEXT * 20)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    first = await brief_of(desk, ada, work.actions[0])
    again = await brief_of(desk, ada, work.actions[0], brief_rev=first["briefRev"])
    assert 6 * len(encode_json(again)) < len(encode_json(first))
