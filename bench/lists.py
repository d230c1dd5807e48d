"""What an agent's first calls cost: the list of what is open, and where it stands, in CPU of the thread that answers.

In process and on SQLite, without HTTP. Once with actions that wait for nothing, once with each waiting for the one
before it.
"""

import tempfile
import time
from pathlib import Path

import uvloop

from bench.figures import median, show, spread
from pendesk import clock
from pendesk.domain.access import BUILDING_SCOPES, Actor
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.desk import HandClock, TestDesk
from tests.workbench import published_spec

SPECS, ACTIONS = 5, 8
CALLS = 40
ROUNDS = 15
OPERATIONS = ("list_available_specs", "get_context")


def main(rounds: int = ROUNDS) -> None:
    rows = [row for chain in (False, True) for row in uvloop.run(_rows(chain, rounds))]
    show(f"Lists of {SPECS} specs with {ACTIONS} actions each", ("call", "actions", "CPU us", "spread"), rows)


async def _rows(chain: bool, rounds: int) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pendesk.sqlite3"
        migrate(file, None)
        by_hand = HandClock()
        by_hand.now = clock.now_us()
        desk = await TestDesk(SqliteStore(file, by_hand), by_hand).open()
        person = await desk.person("Ada")
        for _ in range(SPECS):
            await published_spec(desk, person, actions=ACTIONS, chain=chain)
        agent = person._replace(scopes=BUILDING_SCOPES, via="mcp")
        rows = []
        for operation in OPERATIONS:
            await _cpu_us(desk, agent, operation)  # what is loaded at the first call
            costs = [await _cpu_us(desk, agent, operation) for _ in range(rounds)]
            rows.append([operation, "in a chain" if chain else "free", f"{median(costs):,.0f}", spread(costs)])
        await desk.store.close()
    return rows


async def _cpu_us(desk: TestDesk, agent: Actor, operation: str) -> float:
    begun = time.thread_time_ns()
    for _ in range(CALLS):
        await desk.dispatcher.call(agent, operation, {})
    return (time.thread_time_ns() - begun) / CALLS / 1_000
