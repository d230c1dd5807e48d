"""Pull requests, and the submissions that name them."""

import pytest

from tests import github_payloads as github
from tests.desk import MINUTE
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


async def code_everywhere(hub, action):
    """What the board, the list, the inbox, the action and its review say of the code."""
    project, call = hub.work.project_id, hub.desk.call
    columns = (await call(hub.owner, "get_board", project_id=project))["columns"]
    cards = [card for column in columns for card in column["cards"]]
    listed = (await call(hub.owner, "list_cards", project_id=project))["cards"]
    inbox = (await call(hub.owner, "get_inbox"))["items"]
    review = await call(hub.owner, "get_review", action_id=action["pid"])
    board, listing = ([card for card in rows if card["pid"] == action["pid"]] for rows in (cards, listed))
    need = [row for row in inbox if row["kind"] == "review"]
    assert len(board) == len(listing) == len(need) == 1
    code = review["submission"]["code"]
    for row in (*board, *listing, *need, await hub.action()):
        assert row["code"] == code
    return code


async def test_every_surface_says_the_same_of_the_code(hub):
    action = await handed_in(hub)
    assert (await code_everywhere(hub, action))["stale"] == "not_reported"
    payload = github.pull_request(7, HEAD, action="opened", draft=True, mergeable_state="dirty")
    await hub.send("pull_request", payload)
    code = await code_everywhere(hub, action)
    assert "stale" not in code
    assert code["checks"] == {"state": "none"}
    pull = code["pullRequest"]
    assert (pull["number"], pull["state"], pull["draft"], pull["mergeState"]) == (7, "open", True, "dirty")
    assert pull["baseBranch"] == "main"
    await hub.send("check_run", github.check_run(HEAD, "build"))
    await hub.send("check_run", github.check_run(HEAD, "lint", "failure"))
    assert (await code_everywhere(hub, action))["checks"] == {"state": "failed", "passed": 1, "failed": 1}


async def test_without_a_webhook_or_a_token_the_code_is_stale(hub):
    action = await handed_in(hub)
    await hub.send("pull_request", github.pull_request(7, HEAD, action="opened"))
    await hub.desk.call(hub.owner, "remove_github_webhook", project_id=hub.work.project_id)
    assert (await code_everywhere(hub, action))["stale"] == "not_connected"


async def test_a_pull_request_that_nothing_was_heard_of_for_a_day_is_stale(hub):
    action = await handed_in(hub)
    await hub.send("pull_request", github.pull_request(7, HEAD, action="opened"))
    hub.desk.clock.forward(25 * 60 * MINUTE)
    assert (await code_everywhere(hub, action))["stale"] == "silent"
