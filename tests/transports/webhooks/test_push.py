"""Pushes: one record per commit whoever brings it, the actions it names, and what a force-push takes away."""

import asyncio

import pytest

from pendesk.domain.limits import COMMIT_PATHS, PATH_CHARS
from pendesk.store import overlaps
from tests import github_payloads as github
from tests.transports.webhooks.building import claim, evidence, report
from tests.workbench import accept_deviations

FIRST = github.sha(1)


async def test_a_commit_is_linked_to_the_actions_that_its_message_names(hub):
    await hub.send("push", github.push([github.commit(1, "PEN-1, PEN-2: add the form\n\nNot XPEN-2 or PEN-999.")]))
    for number in (0, 1):
        (commit,) = (await hub.action(number))["commits"]
        assert (commit["sha"], commit["branch"], commit["filesChanged"], commit["source"]) == (
            FIRST,
            "main",
            2,
            "webhook",
        )
    assert len(await hub.log("commit.pushed")) == 2


async def test_the_files_of_a_commit_are_those_that_its_action_touches(hub):
    pid = hub.work.actions[0]["pid"]
    for _again in range(2):
        await hub.send("push", github.push([github.commit(1, "PEN-1: add the form")]))
    touched = await hub.desk.store.read(
        hub.desk.workspace, lambda tx: overlaps.changed_paths_by_action_id(tx, [pid, hub.work.actions[1]["pid"]])
    )
    assert touched == {pid: {"README.md", "src/1.py"}}


async def test_of_a_commit_with_many_or_strange_files_the_first_good_ones_are_kept(hub):
    commit = github.commit(1, "PEN-1: generate it", files=COMMIT_PATHS + 100)
    commit["modified"] = ["\x00bad", "a" * (PATH_CHARS + 1), ""]
    await hub.send("push", github.push([commit]))
    count = "SELECT count(*), min(path) FROM commit_paths WHERE workspace_id = :workspace"
    kept, first = await hub.desk.store.read(hub.desk.workspace, lambda tx: tx.one(count))
    assert (kept, first) == (COMMIT_PATHS, "src/1.py")


@pytest.mark.parametrize("message", ["PEN-1x", "XPEN-1", "PEN-10", "pen-1", "PEN 1", "PEN-01", "OTHER-1"])
async def test_what_only_looks_like_a_ref_names_nothing(hub, message):
    await hub.send("push", github.push([github.commit(1, message)]))
    assert (await hub.action())["commits"] == []


async def test_a_branch_names_an_action_for_what_is_new_on_it(hub):
    commits = [github.commit(1, "From main", distinct=False), github.commit(2, "Add the form")]
    await hub.send("push", github.push(commits, branch="feature/pen-1-sign-in"))
    assert [one["message"] for one in (await hub.action())["commits"]] == ["Add the form"]


async def test_tags_and_removed_branches_bring_nothing(hub):
    tag = {**github.push([github.commit(1, "PEN-1")]), "ref": "refs/tags/PEN-1"}
    gone = {**github.push([], branch="pen-1"), "deleted": True, "after": "0" * 40}
    for payload in (tag, gone):
        assert (await hub.send("push", payload)).status_code == 202
    assert (await hub.action())["commits"] == []


async def test_the_agent_first_then_the_webhook_is_one_record_and_fills_what_lacked(hub):
    action = await claim(hub)
    await report(hub, action, FIRST, criterion_ids=action["criteria"][:1])
    await hub.send("push", github.push([github.commit(1, "PEN-1 as pushed", files=5)], branch="feature"))
    (commit,) = (await hub.action())["commits"]
    assert (commit["source"], commit["message"]) == ("agent", "As the agent tells it")
    assert (commit["branch"], commit["filesChanged"]) == ("feature", 5)
    assert await hub.log("commit.pushed") == []


async def test_the_webhook_first_then_the_agent_is_one_record(hub):
    action = await claim(hub)
    await hub.send("push", github.push([github.commit(1, "Without a ref")], branch="feature"))
    await report(hub, action, FIRST, branch="other", files_changed=99, criterion_ids=action["criteria"])
    (commit,) = (await hub.action())["commits"]
    assert (commit["source"], commit["message"], commit["branch"]) == ("webhook", "Without a ref", "feature")
    assert [one["status"] for one in (await hub.action())["criteria"]] == ["implemented", "implemented"]


async def test_both_at_once_are_one_record(hub):
    action = await claim(hub)
    reports = [report(hub, action, github.sha(number)) for number in range(10)]
    pushes = [hub.send("push", github.push([github.commit(n, "PEN-1")], branch=f"b{n}")) for n in range(10)]
    for answer in (await asyncio.gather(asyncio.gather(*reports), *pushes))[1:]:
        assert answer.status_code == 200
    commits = (await hub.action())["commits"]
    assert len(commits) == 10
    assert {one["branch"] for one in commits} == {f"b{number}" for number in range(10)}


async def test_a_mention_on_another_branch_does_not_move_the_reported_head(hub):
    action = await claim(hub)
    await report(hub, action, FIRST)
    hub.desk.clock.forward(1_000_000)
    await hub.send("push", github.push([github.commit(0, "Before"), github.commit(2, "Follow-up to PEN-1")]))
    assert (await hub.action())["headSha"] == FIRST
    await report(hub, action, github.sha(2))
    assert (await hub.action())["headSha"] == github.sha(2)


async def test_a_large_push_is_recorded_from_its_newest_end(hub):
    commits = [github.commit(number, "PEN-1") for number in range(250)]
    answer = await hub.send("push", github.push(commits))
    assert answer.json()["outcome"].startswith("200 commits")
    assert (await hub.action())["commits"][0]["sha"] == github.sha(249)


async def shown(hub, action, number, criterion, **more):
    await report(hub, action, github.sha(number), **more)
    await hub.desk.call(
        hub.owner,
        "report_test_result",
        action_pid=action["pid"],
        criterion_id=action["criteria"][criterion],
        outcome="passed",
    )


async def test_a_force_push_makes_what_was_shown_on_the_old_head_stale(hub):
    action = await claim(hub)
    await hub.send("push", github.push([github.commit(1, "PEN-1 one")], branch="feature"))
    await shown(hub, action, 1, 0)
    payload = github.push([github.commit(2, "PEN-1 amended")], branch="feature", before=FIRST, forced=True)
    await hub.send("push", payload)
    found = await hub.action()
    reason = found["criteria"][0]["evidence"]["stale"]
    assert reason == f"feature was force-pushed, and {FIRST[:7]} is no longer on it."
    assert found["criteria"][0]["status"] == "validated"
    (event,) = await hub.log("evidence.staled")
    assert event["data"]["criterionIds"] == [action["criteria"][0]]
    assert len(await hub.log("branch.force_pushed")) == 1


async def test_a_rebase_takes_the_whole_line_and_older_work_in_doubt_is_told_so(hub):
    action = await claim(hub)
    old = [github.commit(number, f"PEN-1 step {number}") for number in (1, 2, 3)]
    await hub.send("push", github.push(old, branch="feature"))
    await shown(hub, action, 1, 0)
    await shown(hub, action, 2, 1)
    new = [github.commit(number, f"PEN-1 step {number - 10}") for number in (12, 13)]
    await hub.send("push", github.push(new, branch="feature", before=github.sha(3), forced=True))
    first, second = ((one["evidence"]["stale"]) for one in (await hub.action())["criteria"])
    assert "does not say whether" in first
    assert "no longer on it" in second


async def test_a_force_push_leaves_other_branches_and_finished_work_alone(hub):
    action = await claim(hub)
    await hub.send("push", github.push([github.commit(1, "PEN-1 one")], branch="feature"))
    await shown(hub, action, 1, 0)
    elsewhere = github.push([github.commit(3, "Else")], branch="elsewhere", before=github.sha(2), forced=True)
    await hub.send("push", elsewhere)
    assert await evidence(hub) == [("claimed", False), None]
    await shown(hub, action, 1, 1)
    await hub.desk.call(
        hub.owner, "submit_for_review", action_pid=action["pid"], pr_url=f"{github.PAGE}/pull/1", summary="Done."
    )
    await accept_deviations(hub.desk, hub.owner, action["pid"])
    verdicts = [{"criterionId": each, "verdict": "confirmed"} for each in action["criteria"]]
    await hub.desk.call(
        hub.owner, "review_action", action_pid=action["pid"], verdict="approved", summary="Good.", verdicts=verdicts
    )
    later = github.push([github.commit(5, "New")], branch="feature", before=github.sha(4), forced=True)
    await hub.send("push", later)
    assert await evidence(hub) == [("human", False), ("human", False)]


async def test_a_push_that_is_not_forced_makes_nothing_stale(hub):
    action = await claim(hub)
    await hub.send("push", github.push([github.commit(1, "PEN-1 one")], branch="feature"))
    await shown(hub, action, 1, 0)
    await hub.send("push", github.push([github.commit(2, "PEN-1 two")], branch="feature", before=FIRST))
    assert await evidence(hub) == [("claimed", False), None]
