"""The review page, and rings: what is met, by whose word, and what needs a look first."""

import re

import pytest

from pendesk.domain.checks import CiCheck, state_from_conclusion
from pendesk.store import checks
from pendesk.transports.web.parts.icons import ICON_SHAPES
from tests.desk import HandClock, TestDesk
from tests.diffs import HEAD, NEXT_HEAD, created, modified, packed, push
from tests.sites import SAME
from tests.workbench import drafted_spec, published_spec

SHA = "a" * 40
EVIL = "<script>alert(1)</script>"


def first_match(pattern: str, text: str) -> re.Match[str]:
    match = re.search(pattern, text, re.S)
    assert match, pattern
    return match


@pytest.fixture
async def submitted(served):
    """Of four criteria the first is confirmed, the second rejected, the third failing and the fourth unproven."""
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    work = await published_spec(desk, served.owner, actions=1, criteria=4)
    action, criteria = work.actions[0], work.actions[0]["criteria"]
    about = {"action_pid": action["pid"]}
    code = {"summary": "Done.", "branch": "tides", "head_sha": SHA}
    await served.call("claim_action", **about)
    for criterion_id in criteria[:3]:
        await served.call("report_test_result", criterion_id=criterion_id, outcome="passed", **about)
    await served.call("submit_for_review", **about, **code)
    verdicts = [
        {"criterionId": criterion_id, "verdict": word}
        for criterion_id, word in zip(criteria, ("confirmed", "rejected"), strict=False)
    ]
    await served.call("review_action", verdict="changes_requested", summary="No.", verdicts=verdicts, **about)
    await served.call("report_test_result", criterion_id=criteria[2], outcome="failed", **about)
    brief = await served.call("get_action_brief", **about)
    fixed = [{"itemId": brief.review.items[0].id, "disposition": "declined", "note": "Why not."}]
    unmet = [{"criterionId": criteria[2], "reason": EVIL}]
    await served.call("resubmit_for_review", dispositions=fixed, unmet=unmet, **about, **code)
    await sign_in(served)
    return action


async def test_the_review_shows_first_what_is_unmet_failing_or_unproven(served, submitted):
    page = (await served.http.get(f"/a/{submitted['refCode']}/review")).text
    rows = re.findall(r'<tbody class="trace".*?</tbody>', page, re.S)
    assert [first_match(r'data-state="(\w+)"', row)[1] for row in rows] == ["failing", "none", "rejected", "confirmed"]
    assert [first_match(r'trace-number">(\d)', row)[1] for row in rows] == ["3", "4", "2", "1"]
    assert "Look at these first:" in page
    assert EVIL not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in rows[0]
    assert "Unproven." in rows[1]
    marks = [first_match(r'class="trace-marks">.*?</div>', row)[0] for row in rows]
    assert [ICON_SHAPES["circle-check"] in mark for mark in marks] == [False, False, False, True]
    assert ["criterion-confirmed" in mark for mark in marks] == [False, False, False, True]
    assert "View pull request" not in page
    assert "tides" in page


async def test_header_and_rows_say_the_same_of_the_checks(served, submitted):
    project = (await served.call("get_project", project_id=submitted["refCode"].partition("-")[0])).pid
    store, workspace = served.service.dispatcher.store, served.owner.workspace_id
    for name, conclusion in (("lint", "failure"), ("unit", "success")):
        check = CiCheck(project, SHA, name, state_from_conclusion(conclusion), None, 1, conclusion)
        await store.write(workspace, lambda tx, check=check: checks.save(tx, check))
    page = (await served.http.get(f"/a/{submitted['refCode']}/review")).text
    said = re.findall(r'<span class="chip bad" title="lint">.*?</svg>(.*?)</span>', page, re.S)
    rows = len(re.findall(r'<td data-label="CI">', page))
    assert said == ["1 check failing"] * (1 + rows)


async def test_rings_say_their_numbers_in_words(served, submitted):
    words = "Criteria: 1 confirmed, 0 self-reported, 1 failing, of 4"
    for path in ("/", f"/p/{submitted['refCode'].partition('-')[0]}", f"/a/{submitted['refCode']}"):
        page = (await served.http.get(path)).text
        assert f'<span class="sr">{words}</span>' in page, path
        ring = first_match(r'<span class="progress".*?</svg>', page)[0]
        assert re.findall(r"progress-(\w+)", ring) == ["confirmed", "failing"]
        assert '<span aria-hidden="true">1/4</span>' in page


@pytest.mark.parametrize("setting", ["require_evidence", "refuse_overlap"])
async def test_what_a_project_refuses_is_on_the_page_and_can_be_turned_off(served, submitted, setting):
    key = submitted["refCode"].partition("-")[0]
    for sent, checked in ((["false", "true"], True), (["false"], False)):
        form = {"project_id": key, setting: sent}
        answer = await served.http.post("/do/update_project", data=form, headers={**SAME, "hx-request": "true"})
        assert answer.status_code == 204
        page = (await served.http.get(f"/p/{key}/settings")).text
        box = first_match(rf'<input type="checkbox" name="{setting}"[^>]*>', page)[0]
        assert ("checked" in box) is checked


async def sign_in(served):
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)


@pytest.fixture
async def departed(served):
    """A submission that departs in five ways from what was agreed."""
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    desk.installation = served.service.installation
    work = await drafted_spec(desk, served.owner, actions=1, criteria=1)
    rules = {
        "conditions": ["Lint. {run: make lint}"],
        "boundaries": ["No *billing*. {forbid: src/billing/**}", "Nothing new. {no-dependencies}"],
    }
    await served.call("update_spec", spec_id=work.spec_id, **rules)
    await served.call("publish_build", spec_id=work.spec_id)
    action = work.actions[0]
    await served.call("claim_action", action_pid=action["pid"])
    files = [modified("src/billing/pay.py"), created("requirements.txt", "left-pad==1")]
    await push(desk, served.owner, action["pid"], packed(*files))
    await served.call(
        "report_commit", action_pid=action["pid"], sha=SHA, message="Tidy up\n\nA little.", criterion_ids=[]
    )
    lint = {"command": "make lint", "outcome": "failed", "evidence": EVIL}
    code = {"summary": "Done.", "branch": "tides", "head_sha": HEAD, "commands": [lint]}
    await served.call("submit_for_review", action_pid=action["pid"], **code)
    await sign_in(served)
    return desk, action


async def review_page(served, action):
    return (await served.http.get(f"/a/{action['refCode']}/review")).text


async def post(served, operation, **fields):
    return await served.http.post(f"/do/{operation}", data=fields, headers={**SAME, "hx-request": "true"})


async def test_deviations_stand_first_and_are_accepted_by_form(served, departed):
    _, action = departed
    page = await review_page(served, action)
    assert page.index('id="deviations-title"') < page.index('id="criteria-title"')
    rows = re.findall(r'<li class="deviation".*?class="deviation-request"', page, re.S)
    assert [first_match("<h3>(.*?)</h3>", row)[1] for row in rows] == [
        "Files that may not be changed",
        "New dependencies",
        "Files outside the paths of the action",
        "A required command failed",
        "Commits that serve no criterion",
    ]
    assert 'data-goes-to data-path="src/billing/pay.py"' in rows[0]
    assert "<em>billing</em>" in rows[0]  # the rule
    assert "left-pad in requirements.txt" in rows[1]
    assert f'<code class="sha">{SHA[:8]}</code> Tidy up\n' in rows[4]
    assert ["Accept and add to spec" in row for row in rows] == [True, True, True, False, False]
    assert EVIL not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page  # what the agent says of the command
    accept = {"action_id": action["pid"], "deviation_ids": first_match('data-deviation="(.*?)"', rows[0])[1]}
    assert (await post(served, "accept_deviations", **accept, into_spec="true")).status_code == 204
    page = await review_page(served, action)
    assert re.findall('data-deviation="[^"]+" data-state="(.*?)"', page) == ["accepted", *["open"] * 4]
    others = {"action_id": action["pid"], "deviation_ids": re.findall('name="deviation_ids" value="(.*?)"', page)}
    assert (await post(served, "accept_deviations", **others)).status_code == 204
    page = await review_page(served, action)
    assert set(re.findall('data-deviation="[^"]+" data-state="(.*?)"', page)) == {"accepted"}
    assert "Accept all" not in page


async def test_of_many_files_that_deviate_the_first_are_shown_and_the_card_counts_the_deviations(served, departed):
    desk, action = departed
    await push(desk, served.owner, action["pid"], packed(*(modified(f"src/billing/{n:02}.py") for n in range(60))))
    page = await review_page(served, action)
    forbidden = first_match(r'<li class="deviation".*?class="deviation-request"', page)[0]
    shown, _, folded = forbidden.partition("<details")
    assert (shown.count("data-goes-to"), folded.count("data-goes-to")) == (6, 44)
    assert "<summary>Show 54 more</summary>" in folded
    assert "and 10 more that are not listed here" in folded
    board = (await served.http.get(f"/p/{action['refCode'].partition('-')[0]}")).text
    card = first_match(rf'<li class="card" id="card-{action["refCode"]}".*?</li>', board)[0]
    assert "4 deviations" in card  # no new dependency any more


async def test_the_answers_to_the_last_review_name_their_lines(served, departed):
    desk, action = departed
    items = {
        "items.0.text": "Why?",
        "items.0.path": "src/billing/pay.py",
        "items.0.side": "new",
        "items.0.line": "2",
        "items.0.endLine": "3",
        "items.1.text": "Nice.",
        "items.1.kind": "remark",
    }
    wrong = await post(
        served, "review_action", action_pid=action["pid"], verdict="changes_requested", **items | {"items.0.line": "9"}
    )
    assert wrong.json()["error"]["field"] == "items[0].line"
    sent = await post(served, "review_action", action_pid=action["pid"], verdict="changes_requested", **items)
    assert sent.status_code == 204
    await push(desk, served.owner, action["pid"], packed(modified("src/billing/pay.py"), head=NEXT_HEAD))
    code = {"summary": "Again.", "branch": "tides", "head_sha": NEXT_HEAD}
    await served.call("resubmit_for_review", action_pid=action["pid"], **code)
    page = await review_page(served, action)
    answers = first_match('<section aria-labelledby="items-title">.*?</section>', page)[0]
    assert "src/billing/pay.py:2-3" in answers
    assert "No answer" in answers
    assert '<span class="add">+new' in answers
    assert "Nice." not in answers  # a remark has no answer; it stands among the past reviews
    assert "Nice." in page
