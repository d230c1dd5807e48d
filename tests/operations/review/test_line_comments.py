"""Comments on lines of the change: requests that the agent answers, and remarks."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.errors import BadField
from tests.diffs import HEAD, NEXT_HEAD, modified, packed, push
from tests.refusals import refused
from tests.workbench import accept_deviations, published_spec

CODE = {"branch": "feature", "summary": "Done."}


@pytest.fixture
async def submitted(desk):
    """A change of two files, submitted by Ada's agent; Rita reviews it."""
    rita, ada = await desk.person("Rita"), await desk.person("Ada", scopes=BUILDING_SCOPES)
    work = await published_spec(desk, rita, actions=1, criteria=1, participants=(ada,))
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await push(desk, ada, action["pid"], packed(modified("src/app.py"), modified("src/b.py", "one", "two")))
    await desk.call(ada, "submit_for_review", action_pid=action["pid"], head_sha=HEAD, **CODE)
    return rita, ada, action


async def review(desk, person, action, items, verdict="changes_requested", **fields):
    return await desk.call(person, "review_action", action_pid=action["pid"], verdict=verdict, items=items, **fields)


AT_LINE = {"text": "Why new?", "path": "src/app.py", "line": 2}
RANGE = {"text": "Name it.", "path": "src/b.py", "side": "old", "line": 1, "endLine": 2}
REMARK = {"text": "Nice.", "path": "src/b.py", "line": 2, "kind": "remark"}


async def test_the_agent_reads_each_request_with_its_lines_in_the_brief(desk, submitted):
    rita, ada, action = submitted
    await review(desk, rita, action, [AT_LINE, RANGE, REMARK])
    brief = (await desk.call(ada, "get_action_brief", action_pid=action["pid"]))["review"]
    first, second = brief["items"]
    assert (first["path"], first["line"], first["quote"]) == ("src/app.py", 2, " same\n-old\n+new")
    assert (second["side"], second["line"], second["endLine"], second["quote"]) == ("old", 1, 2, " same\n-one")
    assert [(remark["text"], remark["line"]) for remark in brief["remarks"]] == [("Nice.", 2)]
    assert brief["summary"] == "2 requested changes, 1 remark."


async def test_the_news_of_the_verdict_carries_the_lines(desk, submitted):
    rita, ada, action = submitted
    await review(desk, rita, action, [AT_LINE, REMARK], summary="Nearly.")
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    (news,) = [item for item in brief["news"] if item["kind"] == "action.reviewed"]
    assert "Nearly." in news["text"]
    assert "src/app.py:2: Why new?\n   same\n  -old\n  +new" in news["text"]
    assert "src/b.py:2 (remark): Nice." in news["text"]


async def test_many_comments_are_cut_in_the_news_and_whole_in_the_brief(desk, submitted):
    rita, ada, action = submitted
    await review(desk, rita, action, [{**AT_LINE, "text": f"{number} {'x' * 300}"} for number in range(20)])
    brief = await desk.call(ada, "get_action_brief", action_pid=action["pid"])
    (news,) = [item for item in brief["news"] if item["kind"] == "action.reviewed"]
    assert news["text"].endswith("review.items.")
    assert len(news["text"]) < 3_000
    read_on = await desk.call(ada, "get_action_brief", action_pid=action["pid"], rest=brief["cut"][0])
    assert len(brief["review"]["items"]) + len(read_on["rest"]["items"]) == 20


async def test_what_was_done_about_a_comment_stands_at_its_line_in_the_next_round(desk, submitted):
    rita, ada, action = submitted
    await review(desk, rita, action, [AT_LINE, {**AT_LINE, "path": "src/b.py", "text": "Which?"}])
    items = (await desk.call(ada, "get_action_brief", action_pid=action["pid"]))["review"]["items"]
    shifted = modified("src/app.py").replace("@@ -1,3 +1,3 @@", "@@ -8,3 +8,3 @@")
    content = packed(shifted, modified("src/b.py", "one", "three"), head=NEXT_HEAD)
    await push(desk, ada, action["pid"], content)
    dispositions = [
        {"itemId": items[0]["id"], "disposition": "declined", "note": "It is meant so."},
        {"itemId": items[1]["id"], "disposition": "fixed", "note": f"In {NEXT_HEAD[:10]}."},
    ]
    await desk.call(
        ada, "resubmit_for_review", action_pid=action["pid"], head_sha=NEXT_HEAD, dispositions=dispositions, **CODE
    )
    page = await desk.call(rita, "get_change_file", action_id=action["pid"], position=0)
    (kept,) = page["comments"]
    assert (kept["line"], kept["disposition"], kept["note"]) == (9, "declined", "It is meant so.")
    assert (kept["by"], kept["submissionNumber"], "outdated" in kept) == ("Rita", 1, False)
    (gone,) = (await desk.call(rita, "get_change_file", action_id=action["pid"], position=1))["comments"]
    assert (gone["outdated"], gone["line"], gone["sha"]) == (True, 2, NEXT_HEAD[:10])
    assert gone["quote"] == " same\n-one\n+two"


async def test_in_what_is_new_a_comment_on_other_lines_is_elsewhere_and_not_outdated(desk, submitted):
    rita, ada, action = submitted
    await review(desk, rita, action, [{**AT_LINE, "side": "old"}, AT_LINE])
    items = (await desk.call(ada, "get_action_brief", action_pid=action["pid"]))["review"]["items"]
    since = modified("src/app.py", "new", "newer")
    content = packed(modified("src/app.py", added="newer"), head=NEXT_HEAD, since=since, since_sha=HEAD)
    await push(desk, ada, action["pid"], content)
    answers = [{"itemId": item["id"], "disposition": "declined", "note": "No."} for item in items]
    await desk.call(
        ada, "resubmit_for_review", action_pid=action["pid"], head_sha=NEXT_HEAD, dispositions=answers, **CODE
    )
    new = await desk.call(rita, "get_change_file", action_id=action["pid"], position=0, part="since")
    # What was before the change still is; what was new is replaced.
    assert [(bool(row.get("elsewhere")), bool(row.get("outdated"))) for row in new["comments"]] == [
        (True, False),
        (False, True),
    ]
    whole = await desk.call(rita, "get_change_file", action_id=action["pid"], position=0)
    assert [(bool(row.get("elsewhere")), bool(row.get("outdated"))) for row in whole["comments"]] == [
        (False, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"path": "src/other.py", "line": 1}, "items[0].path"),
        ({"path": "src/app.py", "line": 9}, "items[0].line"),
        ({"path": "src/app.py", "line": 3, "endLine": 2}, "items[0].line"),
        ({"path": "src/app.py", "line": 1, "endLine": 2**31}, "items[0].line"),
        ({"path": "src/app.py"}, "items[0].line"),
        ({"line": 1}, "items[0].path"),
    ],
    ids=["no such file", "no such line", "backwards", "too far", "no line", "no file"],
)
async def test_lines_that_the_change_does_not_show_are_refused_by_name(desk, submitted, item, field):
    rita, _, action = submitted
    with refused(BadField, None, field):
        await review(desk, rita, action, [{"text": "Hm.", **item}])


async def test_a_summary_is_needed_where_nothing_else_is_said(desk, submitted):
    rita, _, action = submitted
    with refused(BadField):
        await review(desk, rita, action, [])
    rejected = [{"criterionId": action["criteria"][0], "verdict": "rejected", "note": "Not yet."}]
    await review(desk, rita, action, [], verdicts=rejected)
    page = await desk.call(rita, "get_review", action_id=action["pid"])
    assert page["reviews"][0]["summary"] == "1 note."


async def test_approved_work_may_have_remarks_and_no_requests(desk, submitted):
    rita, _, action = submitted
    confirmed = [{"criterionId": action["criteria"][0], "verdict": "confirmed"}]
    await accept_deviations(desk, rita, action["pid"])
    with refused(BadField):
        await review(desk, rita, action, [AT_LINE], "approved", verdicts=confirmed)
    await review(desk, rita, action, [REMARK], "approved", verdicts=confirmed)
    (row,) = (await desk.call(rita, "get_review", action_id=action["pid"]))["reviews"]
    assert [(item["kind"], item["path"]) for item in row["items"]] == [("remark", "src/b.py")]
