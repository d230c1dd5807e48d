"""CI's word on the reported head: evidence of level ci, in whatever order things arrive."""

import asyncio

import pytest

from tests import github_payloads as github
from tests.transports.webhooks.building import claim, evidence, report, submit

HEAD = github.sha(1)
GREEN = [("ci", False), ("ci", False)]


async def test_green_on_the_reported_head_is_evidence_for_what_is_implemented(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"][:1])
    await hub.send("check_run", github.check_run(HEAD))
    assert await evidence(hub) == [("ci", False), None]
    found = await hub.action()
    assert (found["criteria"][0]["evidence"]["sha"], found["criteria"][0]["status"]) == (HEAD, "implemented")
    assert "passed on GitHub" in found["criteria"][0]["evidence"]["text"]
    assert [one["state"] for one in found["checks"]] == ["passed"]
    (event,) = await hub.log("evidence.added")
    assert (event["door"], event["data"]["criterionIds"]) == ("webhook", action["criteria"][:1])


async def test_green_before_the_report_counts_when_it_is_reported(hub):
    action = await claim(hub)
    await hub.send("check_run", github.check_run(HEAD))
    assert await evidence(hub) == [None, None]
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    assert await evidence(hub) == GREEN


async def test_green_and_the_report_at_once_miss_each_other_never(hub):
    action = await claim(hub)
    for number in range(30):  # without the common lock about one in fifteen is missed on PostgreSQL
        head = github.sha(number)
        reporting = report(hub, action, head, criterion_ids=action["criteria"])
        await asyncio.gather(reporting, hub.send("check_run", github.check_run(head)))
        found = await hub.action()
        assert [one["evidence"]["sha"] for one in found["criteria"]] == [head, head]
        hub.desk.clock.forward(1_000_000)


async def test_it_is_green_only_when_all_are(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, "lint", None))
    await hub.send("check_run", github.check_run(HEAD, "build", "success"))
    assert await evidence(hub) == [None, None]
    await hub.send("check_run", github.check_run(HEAD, "lint", "success", minute=1))
    assert await evidence(hub) == GREEN


async def test_a_red_check_later_makes_it_stale_and_green_again_makes_it_fresh(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, minute=1))
    await hub.send("check_run", github.check_run(HEAD, conclusion="failure", minute=2))
    found = (await hub.action())["criteria"][0]
    assert found["status"] == "implemented"
    assert found["evidence"]["stale"].startswith("The check github-actions: build")
    await hub.send("check_run", github.check_run(HEAD, minute=3))
    assert await evidence(hub) == GREEN
    assert [(one["data"]["before"], one["data"]["after"]) for one in await hub.log("checks.changed")] == [
        ("none", "passed"),
        ("passed", "failed"),
        ("failed", "passed"),
    ]


async def test_the_newest_word_wins_however_they_arrive(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, minute=5))
    late = await hub.send("check_run", github.check_run(HEAD, conclusion="failure", minute=2))
    assert "an older word" in late.json()["outcome"]
    await hub.send("check_run", github.check_run(HEAD, conclusion=None, minute=4))
    assert await evidence(hub) == GREEN
    assert [one["state"] for one in (await hub.action())["checks"]] == ["passed"]


async def test_the_same_job_of_two_runs_hides_no_failure(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, conclusion="failure", suite=1))
    await hub.send("check_run", github.check_run(HEAD, minute=9, suite=2))
    assert await evidence(hub) == [None, None]


async def test_green_on_another_commit_than_the_head_shows_nothing(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await report(hub, action, github.sha(2))
    await hub.send("check_run", github.check_run(HEAD))
    assert await evidence(hub) == [None, None]
    await hub.send("check_run", github.check_run(github.sha(2)))
    assert await evidence(hub) == GREEN


async def test_what_was_handed_in_is_a_head_too(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await submit(hub, action, f"{github.PAGE}/pull/7")
    await hub.send("push", github.push([github.commit(2, "PEN-1 more")], branch="feature"))
    await hub.send("check_run", github.check_run(HEAD))
    assert await evidence(hub) == GREEN


@pytest.mark.parametrize(
    ("event", "payload", "state"),
    [
        ("check_suite", github.check_suite(HEAD), "passed"),
        ("check_suite", github.check_suite(HEAD, "failure"), "failed"),
        ("workflow_run", github.workflow_run(HEAD), "passed"),
        ("workflow_run", github.workflow_run(HEAD, None), "pending"),
        ("workflow_run", github.workflow_run(HEAD, "startup_failure"), "failed"),
        ("status", github.status(HEAD), "passed"),
        ("status", github.status(HEAD, "pending"), "pending"),
        ("status", github.status(HEAD, "error"), "failed"),
        ("check_run", github.check_run(HEAD, conclusion="cancelled"), "failed"),
        ("check_run", github.check_run(HEAD, conclusion="neutral"), "passed"),
        ("check_run", github.check_run(HEAD, conclusion="invented_in_2031"), "pending"),
    ],
)
async def test_every_way_of_telling(hub, event, payload, state):
    action = await claim(hub)
    await report(hub, action, HEAD)
    assert (await hub.send(event, payload)).status_code == 200
    assert [one["state"] for one in (await hub.action())["checks"]] == [state]


async def test_an_apps_suite_that_never_runs_blocks_nothing(hub):
    assert (await hub.send("check_suite", github.check_suite(HEAD, None, action="requested"))).status_code == 202
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD))
    assert await evidence(hub) == GREEN


async def test_what_was_only_skipped_shows_nothing(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, conclusion="skipped"))
    assert await evidence(hub) == [None, None]


async def test_checks_of_a_commit_are_bounded(hub, monkeypatch):
    monkeypatch.setattr("pendesk.operations.github.record_check.CHECKS_PER_SHA", 2)
    action = await claim(hub)
    await report(hub, action, HEAD)
    for name in ("a", "b", "c"):
        await hub.send("check_run", github.check_run(HEAD, name))
    assert len((await hub.action())["checks"]) == 2


async def test_a_reworded_criterion_loses_ci_evidence_too(hub):
    action = await claim(hub)
    await report(hub, action, HEAD, criterion_ids=action["criteria"])
    await hub.send("check_run", github.check_run(HEAD, minute=1))
    await hub.desk.call(hub.owner, "update_criterion", criterion_id=action["criteria"][0], text="Otherwise")
    await hub.send("check_run", github.check_run(HEAD, minute=2))
    assert await evidence(hub) == [("ci", True), ("ci", False)]
