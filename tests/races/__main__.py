"""`make races`: the races at full size, with their figures. Ends with an error if one of them is lost."""

import asyncio
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from pendesk.store.engine.migrate import migrate
from tests.postgres import PostgresCluster
from tests.races import claiming, handover, log, messages, once, planning, sessions
from tests.races.crew import Crew, Place, Post
from tests.races.scene import Scene

Race = Callable[[Scene], Awaitable[str]]

RACES: dict[str, Race] = {
    "one action": partial(claiming.one_action, claimers=1_000),
    "one session": partial(sessions.one_action, sessions=1_000),
    "first calls": partial(sessions.first_calls, calls=200),
    "hooks": partial(sessions.hook_and_first_call, count=200),
    "contended": partial(sessions.contended, claims=100_000),
    "one user": partial(claiming.one_user, actions=100),
    "histories": partial(claiming.histories, rounds=60),
    "paused holder": handover.paused_holder,
    "takeover": partial(handover.at_the_moment, rounds=40),
    "resume": partial(handover.resuming, rounds=40),
    "submit": partial(once.submitting_twice, rounds=50),
    "one key": partial(once.one_key, calls=50),
    "one sha": partial(once.one_sha, rounds=100),
    "cycle": partial(once.closing_a_cycle, rounds=40),
    "one revision": partial(once.editing_one_revision, rounds=40),
    "publish": partial(once.publishing, times=40),
    "settle": partial(planning.settled_once, rounds=40),
    "comment": partial(planning.commenting_while_editing, rounds=60),
    "message": partial(messages.delivered_once, rounds=60),
    "message and claim": partial(messages.sent_while_claimed, rounds=40),
    "queue": partial(messages.queued, senders=200),
    "cancel": partial(messages.cancelled_while_read, rounds=60),
    "log": partial(log.following, writers=32, writes=60),
}
# In a single process only what many tasks can race for.
SINGLE = ("one action", "one session", "first calls", "one user", "histories", "submit", "one key", "log")


@contextmanager
def database(engine: str) -> Iterator[Place]:
    """On a real disk, with every fsync."""
    if engine == "sqlite":
        with tempfile.TemporaryDirectory(prefix="pendesk-races-") as folder:
            path = Path(folder) / "pendesk.db"
            migrate(path, None)
            yield Place("sqlite", str(path))
    else:
        with PostgresCluster() as cluster:
            url = cluster.create_database("races")
            migrate(None, url)
            yield Place("postgres", url)


async def run(race: Race, crew: Crew) -> str:
    store = crew.place.open(crew.clock)
    try:
        scene = Scene(crew, store)
        await scene.open()
        return await race(scene)
    finally:
        await store.close()


def main() -> int:
    lost = 0
    for engine, processes in (("sqlite", 1), ("sqlite", 4), ("postgres", 4)):
        with ExitStack() as stack:
            crew = stack.enter_context(Crew(stack.enter_context(database(engine)), processes))
            crew.run(Post.together, [([],)] * processes)  # all have started: no race is about who imports faster
            print(f"{engine}, {processes} process{'es' * (processes > 1)}", flush=True)
            for name in RACES if processes > 1 else SINGLE:
                began = time.perf_counter()
                try:
                    told = asyncio.run(run(RACES[name], crew))
                except AssertionError:
                    lost += 1
                    told = f"LOST\n{traceback.format_exc()}"
                print(f"  {name:<14} {told} ({time.perf_counter() - began:.1f} s)", flush=True)
    print("all held" if not lost else f"{lost} lost", flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
