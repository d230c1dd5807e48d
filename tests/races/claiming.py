"""Many who want the same: one action, or one user's last slots."""

import time
from collections import Counter
from functools import partial
from typing import Any

from tests.races.crew import Outcome, Post
from tests.races.linear import FREE, Done, explains, lease_step
from tests.races.scene import Scene, dealt, flat

ROUNDS_PER_CALLER = 6


async def claim_all(post: Post, wanted: list[Any]) -> list[Outcome]:
    return await post.together(
        [partial(post.call, actor, "claim_action", action_pid=pid, agent_model="racer") for actor, pid in wanted]
    )


async def one_action(scene: Scene, claimers: int) -> str:
    """Everybody claims the same action: one winner, and everybody else is told that it is taken."""
    crowd = await scene.crowd(claimers)
    work = await scene.work_for(crowd)
    pid = work.actions[0]["pid"]
    began = time.perf_counter()
    outcomes: list[Outcome] = flat(scene.crew.run(claim_all, dealt(scene.crew, [(actor, pid) for actor in crowd])))
    seconds = time.perf_counter() - began
    words = Counter(outcome.word for outcome in outcomes)
    assert words == {"ok": 1, "already_claimed": claimers - 1}, words
    winner = next(outcome.told["claimedBy"] for outcome in outcomes if outcome.ok)
    assert {outcome.told["claimedBy"] for outcome in outcomes} == {winner}
    assert await scene.rows("SELECT user_id, fence, state FROM claims WHERE workspace_id = :workspace") == [
        (winner, 1, "active")
    ]
    assert (await scene.kinds(action_id=pid)).count("action.claimed") == 1
    return f"{claimers} claimers: 1 winner, {words['already_claimed']} already_claimed, {claimers / seconds:,.0f}/s"


async def one_user(scene: Scene, actions: int) -> str:
    """One user claims many actions at once: as many succeed as there are slots."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user], actions=actions)
    wanted = [(user, action["pid"]) for action in work.actions]
    outcomes: list[Outcome] = flat(scene.crew.run(claim_all, dealt(scene.crew, wanted)))
    words = Counter(outcome.word for outcome in outcomes)
    assert words == {"ok": 3, "claim_limit": actions - 3}, words
    assert await scene.count("claims") == 3
    assert (await scene.kinds()).count("action.claimed") == 3
    return f"{actions} claims by one user: 3 ok, {words['claim_limit']} claim_limit"


async def turns(post: Post, actors: list[Any], pid: str) -> list[Done]:
    """Each caller claims and releases in turn, without waiting for success; what they saw, and when."""

    async def play(actor: Any) -> list[Done]:
        seen = []
        for number in range(ROUNDS_PER_CALLER):
            asked = "release" if number % 2 else "claim"
            began = time.monotonic_ns()
            outcome = await post.call(actor, f"{asked}_action", action_pid=pid)
            fence = (outcome.told["claim"]["fence"],) if outcome.ok and asked == "claim" else ()
            seen.append(Done(began, time.monotonic_ns(), actor.user_id, asked, (outcome.word, *fence)))
        return seen

    return flat(await post.together([partial(play, actor) for actor in actors]))


async def histories(scene: Scene, rounds: int) -> str:
    """Claims and releases of one action, all at once, can be explained by one order in which they happened."""
    crowd = await scene.crowd(2 * scene.crew.processes)
    work = await scene.work_for(crowd, actions=rounds)
    told: Counter[str] = Counter()
    for action in work.actions:
        calls: list[Done] = flat(scene.crew.run(turns, dealt(scene.crew, crowd, action["pid"])))
        assert explains(calls, FREE, lease_step) is not None, calls
        told.update(str(call.told[0]) for call in calls)
    assert told["ok"] > 0
    return f"{rounds} histories of {len(crowd) * ROUNDS_PER_CALLER} calls explained ({dict(told.most_common())})"
