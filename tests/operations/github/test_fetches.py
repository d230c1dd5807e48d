"""What the server reads from GitHub by itself: at once, by one process, again while it is needed, and not for ever."""

import asyncio
import json
import logging

import pytest

from pendesk.domain.github_api import ApiProblem
from pendesk.domain.limits import GITHUB_FETCH_LEASE_US, GITHUB_FETCH_TRIES
from pendesk.operations.github import finish_fetch, list_due_fetches, start_fetch
from pendesk.operations.github.finish_fetch import FinishFetch
from pendesk.store import github_fetches
from pendesk.transports.webhooks.github_fetches import fetch_due
from tests.desk import MINUTE, SECOND
from tests.github_payloads import sha
from tests.github_site import TOKEN, guarded_outbound

HOUR = 60 * MINUTE


async def row(harbor, pid):
    store, workspace = harbor.desk.store, harbor.desk.workspace
    return await store.read(workspace, lambda tx: github_fetches.fetch_of_action(tx, pid))


async def fetches(harbor):
    return await fetch_due(harbor.desk.dispatcher)


async def test_a_submission_is_read_at_once_and_again_after_minutes(harbor):
    await harbor.set_token()
    pid = await harbor.submit()
    assert await fetches(harbor) == 1
    assert (await harbor.change(pid))["source"] == "github"
    assert await fetches(harbor) == 0
    harbor.desk.clock.forward(5 * MINUTE)
    harbor.site.head = sha(2)
    assert await fetches(harbor) == 1
    assert (await harbor.code(pid))["parted"]


async def test_a_change_from_github_marks_the_cards_of_work_on_the_same_files(harbor):
    await harbor.set_token()
    pid, other = await harbor.submit(), harbor.work.actions[1]
    await harbor.call("update_action", action_id=other["pid"], paths=["**"])
    eve = await harbor.desk.person("Eve")
    await harbor.call("add_participant", spec_id=harbor.work.spec_id, user_id=eve.user_id)
    await harbor.desk.call(eve, "claim_action", action_pid=other["pid"])
    assert await fetches(harbor) == 1
    (overlap,) = (await harbor.call("get_action", action_id=pid))["overlaps"]
    assert (overlap["refCode"], overlap["basis"]) == (other["refCode"], "declared")
    assert "**" not in overlap["paths"]


async def test_a_review_that_waits_long_is_read_less_often(harbor):
    await harbor.set_token()
    await harbor.submit()
    reads = 0
    for _ in range(24 * 4):
        reads += await fetches(harbor)
        harbor.desk.clock.forward(15 * MINUTE)
    assert 12 < reads < 48


async def test_without_a_token_or_a_pull_request_nothing_is_read(harbor):
    await harbor.submit()
    assert await fetches(harbor) == 0
    await harbor.set_token()  # and now what is in review already is
    other = await harbor.submit(1, pr_url="https://github.com/other/harbor/pull/7")
    assert await fetches(harbor) == 1
    assert "names no pull request of acme/harbor" in (await row(harbor, other)).problem


async def test_what_was_judged_is_not_read_any_more(harbor):
    await harbor.set_token()
    pid = await harbor.submit()
    await harbor.call("review_action", action_pid=pid, verdict="changes_requested", summary="Not yet.")
    sent = len(harbor.site.requests)
    assert await fetches(harbor) == 0
    assert (await row(harbor, pid), len(harbor.site.requests)) == (None, sent)


async def test_of_two_processes_one_reads_it(harbor):
    await harbor.set_token()
    await harbor.submit()
    dispatcher = harbor.desk.dispatcher
    (due,) = await dispatcher.call_as_server(list_due_fetches.OPERATION, 10)
    tries = [dispatcher.call_as_server(start_fetch.OPERATION, due) for _ in range(4)]
    assert len([started for started in await asyncio.gather(*tries) if started is not None]) == 1
    assert await fetches(harbor) == 0
    harbor.desk.clock.forward(GITHUB_FETCH_LEASE_US)  # the process that had it died
    assert await fetches(harbor) == 1


async def test_who_comes_back_after_its_lease_changes_nothing(harbor):
    await harbor.set_token()
    pid = await harbor.submit()
    dispatcher = harbor.desk.dispatcher
    (due,) = await dispatcher.call_as_server(list_due_fetches.OPERATION, 10)
    started = await dispatcher.call_as_server(start_fetch.OPERATION, due)
    harbor.desk.clock.forward(GITHUB_FETCH_LEASE_US)
    assert await fetches(harbor) == 1
    before = await row(harbor, pid)
    late = FinishFetch(started, ApiProblem("GitHub did not answer."))
    assert await dispatcher.call_as_server(finish_fetch.OPERATION, late) is False
    assert await row(harbor, pid) == before


async def test_it_is_tried_again_ever_later_and_then_left_to_a_person(harbor):
    await harbor.set_token()
    pid = await harbor.submit()
    harbor.site.answers["/pulls/7"] = (502, {}, b"")
    waits = []
    while await fetches(harbor):
        queued = await row(harbor, pid)
        assert queued.problem == "GitHub answered 502: it could not answer."
        if queued.tries == GITHUB_FETCH_TRIES:
            break
        waits.append((queued.due_at - harbor.desk.clock()) // MINUTE)
        harbor.desk.clock.forward(queued.due_at - harbor.desk.clock())
    assert waits == [1, 2, 4, 8, 16, 32, 64]
    harbor.desk.clock.forward(100 * 24 * HOUR)
    assert await fetches(harbor) == 0


@pytest.mark.parametrize(
    "headers", [{"Retry-After": "1800"}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800001800"}]
)
async def test_a_rate_limit_is_honoured(harbor, headers):
    await harbor.set_token()
    pid = await harbor.submit()
    harbor.site.answers["/pulls/7"] = (403, headers, b"{}")
    await fetches(harbor)
    assert (await row(harbor, pid)).due_at - harbor.desk.clock() == 1_800 * SECOND


async def test_a_token_that_is_refused_is_not_tried_again_until_it_is_replaced(harbor):
    await harbor.set_token()
    pid = await harbor.submit()
    harbor.site.token = "another"
    await fetches(harbor)
    harbor.desk.clock.forward(100 * 24 * HOUR)
    assert await fetches(harbor) == 0
    review = await harbor.call("get_review", action_id=pid)
    assert "401: the project's token is not accepted" in review["submission"]["fetch"]["problem"]
    (project,) = (await harbor.call("get_integrations"))["projects"]
    assert "401" in project["token"]["problem"]
    harbor.site.token = TOKEN
    await harbor.set_token()
    assert await fetches(harbor) == 1
    assert "problem" not in (await harbor.call("get_review", action_id=pid))["submission"]["fetch"]


async def test_a_submission_that_was_replaced_meanwhile_is_read_by_itself(harbor):
    """What the first one's answer brings does not stand for the second."""
    await harbor.set_token()
    pid = await harbor.submit()
    dispatcher = harbor.desk.dispatcher
    (due,) = await dispatcher.call_as_server(list_due_fetches.OPERATION, 10)
    await dispatcher.call_as_server(start_fetch.OPERATION, due)
    code = {"pr_url": harbor.site.pr_url, "head_sha": sha(3), "summary": "Better."}
    await harbor.call("resubmit_for_review", action_pid=pid, **code)
    assert await fetches(harbor) == 1
    assert (await harbor.change(pid))["headSha"] == sha(3)


async def test_the_token_is_in_no_log_no_event_and_no_answer(harbor, caplog):
    caplog.set_level(logging.DEBUG)
    await harbor.set_token()
    pid = await harbor.submit()
    harbor.site.answers["/pulls/7"] = (401, {}, json.dumps({"message": TOKEN}).encode())
    await fetches(harbor)
    harbor.desk.dispatcher.outbound = guarded_outbound(timeout_s=0.01)
    await fetches(harbor)
    project = {"project_id": harbor.work.project_id}
    answers = [
        await harbor.call("list_events", **project),
        await harbor.call("get_integrations"),
        await harbor.call("get_review", action_id=pid),
        await harbor.call("get_github_webhook", **project),
    ]
    assert TOKEN not in json.dumps(answers) + caplog.text
