"""Many sessions of one user: for one action, for one record of a session, and for the same lease over and over."""

import time
from collections import Counter
from functools import partial
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from tests.races.claiming import claim_all
from tests.races.crew import Outcome, Post
from tests.races.scene import Scene, dealt, flat


async def terminals(scene: Scene, user: Actor, count: int) -> list[Actor]:
    """Terminals of one user that have one token, each with a process of its own."""
    token = await scene.call(user._replace(via="web"), "create_token", name="Laptop")
    origins = [
        CallOrigin("codex", "laptop", marks=frozenset({make_mark(MarkKind.PROCESS, str(number))}))
        for number in range(count)
    ]
    return [user._replace(token_id=token["tokenId"], origin=origin) for origin in origins]


async def one_action(scene: Scene, sessions: int) -> str:
    """Every session claims the same action: one gets it, and everybody else is told that another session has it."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    wanted = [(actor, work.actions[0]["pid"]) for actor in await terminals(scene, user, sessions)]
    began = time.perf_counter()
    outcomes: list[Outcome] = flat(scene.crew.run(claim_all, dealt(scene.crew, wanted)))
    seconds = time.perf_counter() - began
    words = Counter(outcome.word for outcome in outcomes)
    assert words == {"ok": 1, "held_by_your_other_session": sessions - 1}, words
    assert await scene.count("claims") == await scene.count("agent_sessions") == 1
    return f"{sessions} sessions of one user: 1 holder, {sessions / seconds:,.0f}/s"


async def first_calls(scene: Scene, calls: int) -> str:
    """The first calls of one terminal come all at once: they are one session of one agent, with one claim."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    (terminal,) = await terminals(scene, user, 1)
    wanted = [(terminal, work.actions[0]["pid"])] * calls
    outcomes: list[Outcome] = flat(scene.crew.run(claim_all, dealt(scene.crew, wanted)))
    assert {outcome.word for outcome in outcomes} == {"ok"}
    assert len({outcome.told["claim"]["id"] for outcome in outcomes}) == 1
    for table in ("agents", "agent_sessions", "agent_session_marks", "claims"):
        assert await scene.count(table) == 1, table
    return f"{calls} first calls of one terminal: 1 agent, 1 session, 1 claim"


async def call_all(post: Post, calls: list[tuple[Actor, str, dict[str, Any]]]) -> list[Outcome]:
    return await post.together(
        [partial(post.call, actor, operation, **arguments) for actor, operation, arguments in calls]
    )


async def hook_and_first_call(scene: Scene, count: int) -> str:
    """The first call of a terminal and its hook come at once: the session has the process of both, and what only the
    hook knows.
    """
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    connections = await terminals(scene, user, count)
    calls: list[tuple[Actor, str, dict[str, Any]]] = []
    for number, connection in enumerate(connections):
        marks = connection.origin.marks | {make_mark(MarkKind.CLIENT, str(number))}
        hook = connection._replace(origin=connection.origin._replace(marks=marks))
        brief = {"action_pid": work.actions[0]["pid"]}
        calls += [(connection, "get_action_brief", brief), (hook, "get_context", {})]
    outcomes: list[Outcome] = flat(scene.crew.run(call_all, dealt(scene.crew, calls)))
    assert {outcome.word for outcome in outcomes} == {"ok"}
    marks_of_sessions = await scene.rows(
        "SELECT session_id, count(*) FROM agent_session_marks WHERE workspace_id = :workspace GROUP BY session_id"
    )
    assert [marks for _session, marks in marks_of_sessions] == [2] * count
    return f"{count} terminals and their hooks at once: {count} sessions with both marks"


async def contend(post: Post, actors: list[Any], pids: list[str], rounds: int) -> Counter[str]:
    """Each claims one action after another; who gets it releases it. Counts what was answered."""
    words: Counter[str] = Counter()

    async def play(actor: Any, offset: int) -> None:
        for number in range(rounds):
            pid = pids[(offset + number) % len(pids)]
            outcome = await post.call(actor, "claim_action", action_pid=pid)
            words[outcome.word] += 1
            if outcome.ok:
                released = await post.call(actor, "release_action", action_pid=pid)
                assert released.ok, released.word

    await post.together([partial(play, actor, offset) for offset, actor in enumerate(actors)])
    return words


async def contended(scene: Scene, claims: int) -> str:
    """Sessions of several users claim few actions over and over: no fence is given twice, nobody shares a claim."""
    users = await scene.crowd(4)
    work = await scene.work_for(users, actions=6)
    actors = [actor for user in users for actor in await terminals(scene, user, 4 * scene.crew.processes)]
    pids = [action["pid"] for action in work.actions]
    rounds = -(-claims // len(actors))
    words: Counter[str] = Counter()
    began = time.perf_counter()
    for part in scene.crew.run(contend, dealt(scene.crew, actors, pids, rounds)):
        words.update(part)
    seconds = time.perf_counter() - began
    assert set(words) <= {"ok", "already_claimed", "held_by_your_other_session", "claim_limit"}, words
    taken = await scene.rows("SELECT action_id, fence, state FROM claims WHERE workspace_id = :workspace")
    assert len(taken) == len({row[:2] for row in taken}) == words["ok"]
    assert {row[2] for row in taken} <= {"released"}
    kinds = Counter(await scene.kinds())
    assert kinds["action.claimed"] == kinds["action.released"] == words["ok"]
    return f"{sum(words.values()):,} claims by {len(actors)} sessions, {dict(words)}, {claims / seconds:,.0f}/s"
