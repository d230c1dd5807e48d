"""Pull requests, and the submissions that name them."""

import pytest

from tests import github_payloads as github
from tests.transports.webhooks.building import claim, report, submit

HEAD = github.sha(1)


async def handed_in(hub, url=f"{github.PAGE}/pull/7"):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await submit(hub, action, url)
    return action


async def pull_request(hub):
    return (await hub.action())["submissions"][0].get("pullRequest")


@pytest.mark.parametrize("end", ["", "/", "/files", "/commits"])
async def test_a_submission_shows_its_pull_request(hub, end):
    await handed_in(hub, f"{github.PAGE}/pull/7{end}".replace("acme", "Acme"))
    assert await pull_request(hub) is None
    answer = await hub.send("pull_request", github.pull_request(7, HEAD, action="opened"))
    assert answer.json()["outcome"] == "#7 is open, for 1 submissions."
    found = await pull_request(hub)
    assert (found["number"], found["state"], found["headSha"], found["moved"]) == (7, "open", HEAD, False)
    assert await hub.log("pull_request.changed") == []


async def test_a_head_that_moves_after_the_hand_over_is_told(hub):
    action = await handed_in(hub)
    await hub.send("pull_request", github.pull_request(7, HEAD, action="opened"))
    await hub.send("pull_request", github.pull_request(7, github.sha(2), minute=1))
    (event,) = await hub.log("pull_request.changed")
    assert event["actionId"] == action["pid"]
    assert event["data"]["before"]["headSha"] == event["data"]["submittedSha"] == HEAD
    assert event["data"]["after"]["headSha"] == github.sha(2)
    assert event["data"]["movedSinceSubmission"]
    assert (await pull_request(hub))["moved"]


async def test_an_edit_without_a_new_head_is_not_told(hub):
    await handed_in(hub)
    for minute, action in enumerate(("opened", "edited", "labeled")):
        await hub.send("pull_request", github.pull_request(7, HEAD, action=action, minute=minute))
    assert await hub.log("pull_request.changed") == []


async def test_merging_closing_and_reopening_are_told(hub):
    await handed_in(hub)
    steps = [("closed", "closed", False), ("reopened", "open", False), ("closed", "closed", True)]
    for minute, (action, state, merged) in enumerate(steps):
        payload = github.pull_request(7, HEAD, action=action, state=state, merged=merged, minute=minute)
        await hub.send("pull_request", payload)
    told = [event["data"]["after"]["state"] for event in await hub.log("pull_request.changed")]
    assert told == ["closed", "open", "merged"]
    found = await pull_request(hub)
    assert (found["state"], found["mergedAt"]) == ("merged", "2026-07-01T10:02:00.000Z")


async def test_an_older_word_does_not_reopen_what_was_merged(hub):
    await handed_in(hub)
    merged = github.pull_request(7, HEAD, action="closed", state="closed", merged=True, minute=5)
    await hub.send("pull_request", merged)
    await hub.send("pull_request", github.pull_request(7, github.sha(9), minute=4))
    assert (await pull_request(hub))["state"] == "merged"


async def test_another_pull_request_is_not_taken_for_it(hub):
    await handed_in(hub, f"{github.PAGE}/pull/77")
    answer = await hub.send("pull_request", github.pull_request(7, github.sha(2)))
    assert answer.json()["outcome"] == "#7 is open, for 0 submissions."
    assert await pull_request(hub) is None
