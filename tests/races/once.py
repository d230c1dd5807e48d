"""Things that must happen once, or one after the other, however many try at the same moment."""

from collections import Counter
from functools import partial
from typing import Any

from pendesk.store import edges
from tests.races.crew import Outcome
from tests.races.handover import HANDED, call_one
from tests.races.scene import Scene, dealt, flat


async def _all_at_once(scene: Scene, calls: list[Any]) -> list[Outcome]:
    outcomes: list[Outcome] = flat(scene.crew.run(call_one, dealt(scene.crew, calls)))
    return outcomes


async def submitting_twice(scene: Scene, rounds: int) -> str:
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user], actions=rounds)
    for action in work.actions:
        await scene.call(user, "claim_action", action_pid=action["pid"])
        call = (user, "submit_for_review", {"action_pid": action["pid"], **HANDED})
        words = Counter(outcome.word for outcome in await _all_at_once(scene, [call] * 4))
        assert words == {"ok": 1, "in_review": 3}, words
    assert await scene.count("submissions") == rounds
    assert (await scene.kinds()).count("action.submitted") == rounds
    return f"{rounds} actions submitted 4 times at once: one submission each"


async def one_key(scene: Scene, calls: int) -> str:
    """The same call with the same key, many times: one effect, and the same answer for everyone."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    action = work.actions[0]
    pid = action["pid"]
    keyed = [
        ("claim_action", {"action_pid": pid}, "action.claimed"),
        ("update_progress", {"action_pid": pid, "status": "started", "message": "Began."}, "action.progressed"),
        ("request_clarification", {"action_pid": pid, "question": "Which colour?"}, "clarification.asked"),
        ("report_commit", {"action_pid": pid, "sha": "b" * 40, "message": "Add"}, "commit.reported"),
        ("release_action", {"action_pid": pid}, "action.released"),
    ]
    for operation, arguments, kind in keyed:
        call = (user, operation, {**arguments, "idempotency_key": f"key of {operation}"})
        outcomes = await _all_at_once(scene, [call] * calls)
        assert all(outcome.ok for outcome in outcomes), Counter(outcome.word for outcome in outcomes)
        assert all(outcome == outcomes[0] for outcome in outcomes)
        assert (await scene.kinds()).count(kind) == 1, kind
    return f"{len(keyed)} calls x {calls} with one key: one effect each, {calls} same answers"


async def one_sha(scene: Scene, rounds: int) -> str:
    """Two holders report the same commit at the same moment: one record, linked to both actions."""
    ada, bob = await scene.crowd(2)
    work = await scene.work_for([ada, bob], actions=2)
    holders = list(zip((ada, bob), work.actions, strict=True))
    for actor, action in holders:
        await scene.call(actor, "claim_action", action_pid=action["pid"])
    for number in range(rounds):
        calls = [
            (actor, "report_commit", {"action_pid": action["pid"], "sha": f"{number:040x}", "message": "Add"})
            for actor, action in holders
        ]
        outcomes = await _all_at_once(scene, calls)
        assert [outcome.word for outcome in outcomes] == ["ok", "ok"]
    assert await scene.count("commits") == rounds
    assert await scene.count("commit_actions") == 2 * rounds
    return f"{rounds} SHAs reported by two holders at once: {rounds} commits, {2 * rounds} links"


async def closing_a_cycle(scene: Scene, rounds: int) -> str:
    """Two edges that together would close a cycle: at most one is drawn, and no cycle is left."""
    work = await scene.work_for([], actions=3)
    pids = [action["pid"] for action in work.actions]
    drawn: Counter[str] = Counter()
    for _ in range(rounds):
        calls = [
            (scene.author, "create_edge", {"project_id": work.project_id, "from_task_id": a, "to_task_id": b})
            for a, b in zip(pids, [*pids[1:], pids[0]], strict=True)
        ]
        outcomes = await _all_at_once(scene, calls)
        words = Counter(outcome.word for outcome in outcomes)
        assert words["ok"] == 2, words
        assert len(words) == 2, words
        drawn.update(words)
        for outcome in outcomes:
            if outcome.ok:
                await scene.store.write(scene.workspace, partial(edges.remove, edge_id=outcome.told["pid"]))
    return f"{rounds} rings of 3 edges drawn at once: {dict(drawn)}"


async def editing_one_revision(scene: Scene, rounds: int) -> str:
    """People who edit the same revision of a spec: one wins, the others are told who did."""
    work = await scene.work_for([])
    editors = [await scene.person(f"Editor{each}") for each in range(4)]
    for revision in range(1, rounds + 1):
        calls = [
            (
                editor,
                "update_spec",
                {"spec_id": work.spec_id, "summary": f"{editor.user_name}, {revision}", "expected_revision": revision},
            )
            for editor in editors
        ]
        outcomes = await _all_at_once(scene, calls)
        words = Counter(outcome.word for outcome in outcomes)
        assert words == {"ok": 1, "revision_conflict": 3}, words
    newest = await scene.one("SELECT revision FROM specs WHERE workspace_id = :workspace")
    assert newest == rounds + 1
    kept = await scene.one("SELECT count(*) FROM revisions WHERE object_id = :id", id=work.spec_id)
    assert kept == rounds + 1
    return f"{rounds} revisions edited by 4 at once: one wins each, 3 told revision_conflict"


async def publishing(scene: Scene, times: int) -> str:
    work = await scene.work_for([])
    call = (scene.author, "publish_build", {"spec_id": work.spec_id})
    outcomes = await _all_at_once(scene, [call] * times)
    names = sorted(int(outcome.told["build"][1:]) for outcome in outcomes)
    assert names == list(range(2, times + 2)), names
    stored = await scene.rows("SELECT number FROM builds WHERE workspace_id = :workspace ORDER BY number")
    assert stored == [(number,) for number in range(1, times + 2)]
    current = await scene.one("SELECT build_number FROM specs WHERE workspace_id = :workspace")
    assert current == times + 1
    return f"published {times} times at once: B2 to B{times + 1}, no gap"
