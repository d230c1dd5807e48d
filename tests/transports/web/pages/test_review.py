"""The review page, and rings: what is met, by whose word, and what needs a look first."""

import re

import pytest

from tests.desk import HandClock, TestDesk
from tests.sites import SAME
from tests.workbench import published_spec

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
    sign_in = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": sign_in}, headers=SAME)
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
    assert ["circle-check" in mark for mark in marks] == [False, False, False, True]
    assert ["criterion-confirmed" in mark for mark in marks] == [False, False, False, True]
    assert "View pull request" not in page
    assert "tides" in page


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
