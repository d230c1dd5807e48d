"""What the pages say and offer where a submission is read from GitHub."""

import pytest

from pendesk.domain.github_api import NEVER, GithubFetch
from pendesk.store import github_fetches, reviews
from tests.desk import HandClock, TestDesk
from tests.github_payloads import PAGE
from tests.github_site import HEAD, RefusingOutbound, place_token
from tests.sites import SAME
from tests.workbench import published_spec

PROBLEM = "GitHub answered 404: there is no such repository or pull request, or the token may not see it."


@pytest.fixture
async def submitted(served):
    """The ref of what was submitted with a pull request; the project has a token, and GitHub did not answer."""
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    work = await published_spec(desk, served.owner, actions=1)
    served.service.dispatcher.outbound = RefusingOutbound()
    await served.call("update_project", project_id=work.project_id, repository_url=PAGE)
    await place_token(desk, work.project_id, served.owner.user_id)
    pid = work.actions[0]["pid"]
    await served.call("claim_action", action_pid=pid)
    code = {"pr_url": f"{PAGE}/pull/7", "head_sha": HEAD, "summary": "Built it."}
    await served.call("submit_for_review", action_pid=pid, **code)

    def fail(tx):
        submission = reviews.newest_submission(tx, pid)
        assert submission is not None
        github_fetches.save_fetch(tx, GithubFetch(pid, submission.id, NEVER, 8, PROBLEM))

    await desk.store.write(desk.workspace, fail)
    sign_in = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": sign_in}, headers=SAME)
    return work.actions[0]["refCode"]


async def test_the_review_says_why_there_is_no_change_and_offers_to_fetch_it(served, submitted):
    page = (await served.http.get(f"/a/{submitted}/review")).text
    assert PROBLEM in page
    assert "Fetch from GitHub" in page
    sent = {"action_id": submitted}
    answer = await served.http.post("/do/fetch_change", data=sent, headers={**SAME, "hx-request": "true"})
    assert answer.status_code == 422
    assert "GitHub token" in answer.text


@pytest.mark.parametrize("path", ["/a/{ref}", "/a/{ref}/review", "/", "/p/PEN", "/p/PEN/list"])
async def test_every_surface_shows_the_pull_request_and_that_nothing_was_heard(served, submitted, path):
    page = (await served.http.get(path.format(ref=submitted))).text
    assert "Not heard from GitHub" in page
    assert "No checks" in page


async def test_the_settings_show_that_a_token_is_set_and_never_the_token(served, submitted):
    page = (await served.http.get("/settings/integrations")).text
    assert "Replace token" in page
    assert "sealed" not in page
