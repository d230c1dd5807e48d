"""What a submission's pull request, checks and change are, read from GitHub by a person's wish."""

import asyncio
import json

import pytest

from pendesk.domain.errors import OtherServerSilent, RuleBroken
from pendesk.domain.limits import CHANGE_BYTES
from tests.github_payloads import sha
from tests.github_site import BASE, DIFF, HEAD, PREVIOUS, TOKEN, guarded_outbound
from tests.refusals import refused

GREEN = {
    "name": "build",
    "head_sha": HEAD,
    "status": "completed",
    "conclusion": "success",
    "completed_at": "2026-07-01T10:00:30Z",
    "app": {"slug": "github-actions"},
    "check_suite": {"id": 1},
}


async def fetch(harbor, pid):
    return await harbor.call("fetch_change", action_id=pid)


@pytest.fixture
async def submitted(harbor):
    pid = await harbor.submit()
    await harbor.set_token()
    return pid


async def test_it_brings_the_pull_request_the_checks_and_the_change(harbor, submitted):
    harbor.site.runs = [GREEN, {**GREEN, "name": "lint", "conclusion": "failure"}]
    harbor.site.statuses = [{"state": "pending", "context": "ci/circle", "updated_at": "2026-07-01T10:00:00Z"}]
    fetched = await fetch(harbor, submitted)
    assert fetched["hasChange"]
    code = await harbor.code(submitted)
    assert code == fetched["code"]
    assert code["checks"] == {"state": "failed", "passed": 1, "failed": 1, "pending": 1}
    pull = code["pullRequest"]
    assert (pull["state"], pull["mergeState"], pull["ahead"], pull["behind"]) == ("open", "clean", 2, 3)
    change = await harbor.change(submitted)
    assert (change["source"], change["headSha"], change["baseSha"]) == ("github", HEAD, BASE)
    assert (change["files"], change["added"], change["removed"]) == (2, 2, 1)
    view = await harbor.call("get_change", action_id=submitted)
    assert [commit["subject"] for commit in view["commits"]] == ["Step 0", "Step 1"]
    hunks = (await harbor.call("get_change_file", action_id=submitted, position=0))["hunks"]
    assert hunks[0]["lines"][1] == '-print("hello")'


async def test_reading_it_again_changes_nothing(harbor, submitted):
    harbor.site.runs = [GREEN]
    await fetch(harbor, submitted)
    before = await harbor.call("list_events", project_id=harbor.work.project_id)
    pushed = await harbor.change(submitted)
    await fetch(harbor, submitted)
    assert await harbor.call("list_events", project_id=harbor.work.project_id) == before
    assert await harbor.change(submitted) == pushed


async def test_all_commits_of_a_long_branch_come(harbor, submitted):
    harbor.site.commits = 250
    await fetch(harbor, submitted)
    assert len((await harbor.call("get_change", action_id=submitted))["commits"]) == 250


async def resubmitted_and_fetched(harbor):
    pid = await harbor.submit(head_sha=PREVIOUS)
    await harbor.call("review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.")
    code = {"pr_url": harbor.site.pr_url, "head_sha": HEAD, "summary": "Better."}
    await harbor.call("resubmit_for_review", action_pid=pid, **code)
    await harbor.set_token()
    await fetch(harbor, pid)
    return pid


async def test_what_came_since_the_last_submission_is_read_too(harbor):
    pid = await resubmitted_and_fetched(harbor)
    assert (await harbor.change(pid))["sinceSha"] == PREVIOUS


async def test_after_a_rebase_there_is_nothing_since(harbor):
    harbor.site.compare_status = "diverged"
    pid = await resubmitted_and_fetched(harbor)
    assert "sinceSha" not in await harbor.change(pid)


async def test_a_head_that_parted_is_seen(harbor, submitted):
    harbor.site.head = sha(2)
    await fetch(harbor, submitted)
    assert (await harbor.code(submitted))["parted"]
    assert (await harbor.change(submitted))["headSha"] == HEAD


async def test_hunks_that_look_like_a_secret_are_withheld(harbor, submitted):
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
    harbor.site.diff = DIFF.replace(b"print(os.name)", f"TOKEN = '{secret}'".encode())
    await fetch(harbor, submitted)
    file = await harbor.call("get_change_file", action_id=submitted, position=0)
    assert (file["omitted"], file.get("hunks", [])) == ("withheld", [])
    assert secret not in json.dumps(await harbor.call("get_change", action_id=submitted))


@pytest.mark.parametrize(
    "diff",
    [
        (406, {}, b'{"message": "The diff exceeded the maximum number of lines (20000)"}'),
        (200, {"Content-Type": "text/plain"}, b"x" * (CHANGE_BYTES + 1)),
        (200, {"Content-Type": "text/html"}, b"<html>diff --git</html>"),
        (200, {"Content-Type": "text/plain"}, b"diff --git a/../../etc b/../../etc\n--- a/../x\n+++ b/../x\n"),
    ],
    ids=["refused", "huge", "not a diff", "path escape"],
)
async def test_without_a_usable_diff_the_files_come_without_hunks(harbor, submitted, diff):
    harbor.site.answer = _with_diff(harbor.site.answer, diff)
    await fetch(harbor, submitted)
    view = await harbor.call("get_change", action_id=submitted)
    files = [(file["path"], file["status"], file["omitted"]) for file in view["files"]]
    assert files == [
        ("src/app.py", "modified", "too_large"),
        ("logo.png", "added", "too_large"),
        ("new name.md", "renamed", "too_large"),
    ]
    assert view["files"][0]["added"] == 2


def _with_diff(usual, diff):
    return lambda path, query, accept: diff if accept.endswith("diff") else usual(path, query, accept)


async def test_a_change_that_was_pushed_stays(harbor, submitted):
    await fetch(harbor, submitted)
    pushed = await harbor.change(submitted)
    harbor.site.diff = DIFF.replace(b"harbor", b"port")
    await fetch(harbor, submitted)
    assert await harbor.change(submitted) == pushed
    assert len([path for _, path, accept in harbor.site.requests if accept.endswith("diff")]) == 1


LIMIT = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000060"}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ((401, {}, b'{"message": "Bad credentials"}'), "answered 401: the project's token is not accepted"),
        ((403, {}, b'{"message": "Resource not accessible"}'), "answered 403: the project's token may not read"),
        ((403, LIMIT, b"{}"), "answered 403: too many requests"),
        ((429, {"Retry-After": "60"}, b"{}"), "answered 429: too many requests"),
        ((404, {}, b"{}"), "answered 404: there is no such repository or pull request"),
        ((301, {"Location": "http://169.254.169.254/latest"}, b"{}"), "answered 301: the repository has moved"),
        ((502, {}, b""), "answered 502: it could not answer"),
        ((200, {}, b'{"number": "seven"}'), "answer could not be read"),
        ((200, {}, b"[" * 100_000), "answer could not be read"),
        ((200, {"Content-Type": "text/html"}, b"<html>"), "answer could not be read"),
        ((200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"), "answer could not be read"),
        ((200, {}, b"9" * 6_100_000), "too long"),
    ],
)
async def test_what_github_does_not_answer_is_refused_with_the_reason(harbor, submitted, answer, problem):
    harbor.site.answers["/pulls/7"] = answer
    with refused(OtherServerSilent, "github_refused", problem) as caught:
        await fetch(harbor, submitted)
    assert TOKEN not in caught.refusal.message
    assert await harbor.change(submitted) is None


async def test_another_pull_request_s_answer_is_not_taken(harbor, submitted):
    other = {**harbor.site.pull(), "html_url": "http://127.0.0.1:1/evil/harbor/pull/7"}
    harbor.site.answers["/pulls/7"] = (200, {}, json.dumps(other).encode())
    with refused(OtherServerSilent, "github_refused", "another repository"):
        await fetch(harbor, submitted)


async def test_checks_of_another_commit_are_left_out(harbor, submitted):
    harbor.site.runs = [{**GREEN, "head_sha": sha(9)}]
    await fetch(harbor, submitted)
    assert (await harbor.code(submitted))["checks"] == {"state": "none"}


async def test_an_answer_that_never_ends_is_given_up(harbor, submitted):
    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
        await asyncio.Event().wait()

    harbor.site.answers["/pulls/7"] = drip
    harbor.desk.dispatcher.outbound = guarded_outbound(timeout_s=0.3)
    with refused(OtherServerSilent, "github_refused", "did not answer in time"):
        await fetch(harbor, submitted)


async def test_without_a_token_or_a_pull_request_it_says_what_to_do(harbor):
    pid = await harbor.submit()
    with refused(RuleBroken, "github_token_missing", "Settings, Integrations"):
        await fetch(harbor, pid)
    await harbor.set_token()
    other = await harbor.submit(1, pr_url="https://github.com/other/harbor/pull/7")
    with refused(RuleBroken, "pull_request_missing", "pendesk change push"):
        await fetch(harbor, other)


async def test_with_another_repository_the_token_goes_nowhere(harbor, submitted):
    """Whoever may change the project's address must not have the token sent there."""
    project = {"project_id": harbor.work.project_id}
    await harbor.call("update_project", repository_url=harbor.site.page.replace("harbor", "other"), **project)
    sent = len(harbor.site.requests)
    with refused(RuleBroken, "github_token_unusable", "set for another repository"):
        await fetch(harbor, submitted)
    assert len(harbor.site.requests) == sent
