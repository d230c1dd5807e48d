"""A holder who was paused for too long, and the one who takes over."""

import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from pendesk.store import events
from tests.desk import MINUTE
from tests.races.crew import Outcome, Post
from tests.races.scene import Scene, dealt, flat

HANDED = {"pr_url": "https://example.com/pr/1", "summary": "Done."}


def writes(action: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every write of a holder: its arguments, and the kind that its late report keeps."""
    pid, criterion = action["pid"], action["criteria"][0]
    progress = {"action_pid": pid, "status": "started", "message": "Went on."}
    commit = {"action_pid": pid, "sha": "a" * 40, "message": "Add the form", "criterion_ids": [criterion]}
    result = {"action_pid": pid, "criterion_id": criterion, "outcome": "passed"}
    yield "update_progress", progress, "action.progressed"
    yield "report_commit", commit, "commit.reported"
    yield "report_test_result", result, "test.reported"
    yield "submit_for_review", {"action_pid": pid, **HANDED}, "action.submitted"


async def call_one(post: Post, calls: list[Any]) -> list[Outcome]:
    return await post.together(
        [partial(post.call, actor, operation, **arguments) for actor, operation, arguments in calls]
    )


async def at_the_moment(scene: Scene, rounds: int) -> str:
    """The former holder writes and another claims at the same moment: one of the two orders, and nothing between."""
    former, taker = await scene.crowd(2)
    work = await scene.work_for([former, taker], actions=3 * rounds)
    orders: Counter[str] = Counter()
    actions = iter(work.actions)
    for number in range(rounds):
        for write in range(1, 4):  # commit, test result, submit
            action = next(actions)
            orders[await _one_moment(scene, former, taker, action, write, named=number % 2 == 0)] += 1
    return f"{3 * rounds} takeovers against a write: {dict(orders)}"


async def _one_moment(scene: Scene, former: Any, taker: Any, action: dict[str, Any], write: int, named: bool) -> str:
    pid = action["pid"]
    claim = await scene.call(former, "claim_action", action_pid=pid)
    scene.clock.forward(31 * MINUTE)
    operation, arguments, kept = list(writes(action))[write]
    if named:
        arguments = {**arguments, "claim_id": claim["claim"]["id"]}
    calls = [(former, operation, arguments), (taker, "claim_action", {"action_pid": pid})]
    parts = [([call],) for call in calls] + [([],)] * (scene.crew.processes - 2)
    wrote, took = flat(scene.crew.run(call_one, parts))
    holders = await scene.rows(
        "SELECT user_id FROM claims WHERE workspace_id = :workspace AND action_id = :pid AND state = 'active'", pid=pid
    )
    log = await scene.log(action_id=pid)
    late = [event for event in log if event.kind == "report.late"]
    if took.ok:
        assert wrote.word == "claim_lost", wrote
        assert holders == [(taker.user_id,)]
        assert len(late) == 1
        assert f'"report":"{kept}"' in late[0].data
        assert log.index(late[0]) > [event.kind for event in log].index("action.claimed")
        assert await scene.one("SELECT count(*) FROM submissions WHERE action_id = :pid", pid=pid) == 0
        await scene.call(taker, "release_action", action_pid=pid)
        return "takeover first"
    assert wrote.ok, (wrote, took)
    assert took.word == ("not_claimable" if operation == "submit_for_review" else "already_claimed")
    assert holders == ([] if operation == "submit_for_review" else [(former.user_id,)])
    assert late == []
    if operation != "submit_for_review":
        await scene.call(former, "release_action", action_pid=pid)
    return "write first"


async def paused_holder(scene: Scene) -> str:
    """The former holder writes when another holds the action: refused, kept, and the holder notices nothing."""
    former, taker = await scene.crowd(2)
    work = await scene.work_for([former, taker])
    action = work.actions[0]
    pid = action["pid"]
    old = (await scene.call(former, "claim_action", action_pid=pid))["claim"]["id"]
    scene.clock.forward(31 * MINUTE)
    new = (await scene.call(taker, "claim_action", action_pid=pid))["claim"]
    refused = 0
    for named in ({}, {"claim_id": old}):
        for operation, arguments, kept in writes(action):
            call = (former, operation, {**arguments, **named})
            before = await scene.store.read(scene.workspace, events.last_seq)
            parts = [([call],)] + [([],)] * (scene.crew.processes - 1)
            (outcome,) = flat(scene.crew.run(call_one, parts))
            assert outcome.word == "claim_lost", outcome
            assert outcome.told["claimedBy"] == taker.user_id
            log = await scene.log(action_id=pid)
            assert [event.kind for event in log if event.seq > before] == ["report.late"]
            assert f'"report":"{kept}"' in log[-1].data
            assert log[-1].actor_id == former.user_id
            refused += 1
    for table in ("commits", "test_results", "submissions", "evidence"):
        assert await scene.count(table) == 0, table
    held = await scene.rows(
        "SELECT id, user_id, fence FROM claims WHERE workspace_id = :workspace AND state = 'active'"
    )
    assert held == [(new["id"], taker.user_id, new["fence"])]
    statuses = await scene.rows("SELECT status FROM criteria WHERE workspace_id = :workspace")
    assert set(statuses) == {("pending",)}
    await scene.call(taker, "submit_for_review", action_pid=pid, claim_id=new["id"], **HANDED)
    return f"{refused} writes of a former holder: all refused as claim_lost, all kept as late reports"


async def resuming(scene: Scene, rounds: int) -> str:
    """All sessions of one holder come back at once to an expired lease: it is taken up again once, for all of them."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    action = work.actions[0]
    pid = action["pid"]
    await scene.call(user, "claim_action", action_pid=pid)
    longest = 0.0
    for number in range(1, rounds + 1):
        scene.clock.forward(31 * MINUTE)
        calls = [(user, operation, arguments) for operation, arguments, _ in list(writes(action))[:3]]
        calls += [(user, "claim_action", {"action_pid": pid}), (user, "get_action_brief", {"action_pid": pid})]
        began = time.perf_counter()
        outcomes = flat(scene.crew.run(call_one, dealt(scene.crew, [*calls, *calls])))
        longest = max(longest, time.perf_counter() - began)
        assert all(outcome.ok for outcome in outcomes), Counter(outcome.word for outcome in outcomes)
        assert (await scene.kinds()).count("action.resumed") == number
        if number % 40 == 0:  # before the lease reaches its cap
            await scene.call(user, "release_action", action_pid=pid)
            await scene.call(user, "claim_action", action_pid=pid)
    return f"{rounds} expired leases resumed by 10 calls at once: each once, slowest {longest * 1000:,.0f} ms"
