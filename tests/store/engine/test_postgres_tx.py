"""How often an operation waits for PostgreSQL: what is read together is asked for together."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.limits import SESSION_SEEN_GRAIN_US
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.postgres_link import PipelinedConnection
from tests.desk import HandClock, TestDesk
from tests.workbench import published_spec

LAST_SEEN = "SELECT last_seen_at FROM agent_sessions WHERE workspace_id = :workspace"


@pytest.fixture(scope="module")
def url(postgres):
    url = postgres.create_database("round_trips")
    migrate(None, url)
    return url


@pytest.fixture
async def desk(url):
    clock = HandClock()
    desk = TestDesk(PostgresStore(url, clock, connections=1), clock)
    await desk.open()
    yield desk
    await desk.store.close()


@pytest.fixture
async def agent(desk):
    agent = await desk.person("Robin", scopes=BUILDING_SCOPES, kind="agent")
    origin = CallOrigin("claude-code", "laptop", marks=frozenset({make_mark(MarkKind.PROCESS, "1")}))
    token = await desk.call(await desk.person("Olu", Role.ADMIN), "create_token", name="x", user_pid=agent.user_id)
    return agent._replace(via="mcp", token_id=token["tokenId"], origin=origin)


@pytest.fixture
def round_trips(monkeypatch):
    """Counted since it was last cleared."""
    counted: list[None] = []
    read = PipelinedConnection._read_results_and_find_failure

    def count(link):
        counted.append(None)
        return read(link)

    monkeypatch.setattr(PipelinedConnection, "_read_results_and_find_failure", count)
    return counted


async def test_the_building_loop_waits_as_seldom_as_it_can(desk, agent, round_trips):
    author = await desk.person("Ada")
    work = await published_spec(desk, author, actions=2, participants=(agent,))
    first, second = (action["pid"] for action in work.actions)
    for pid in (first, second):  # once, so that session, brief and statements are known
        await desk.call(agent, "claim_action", action_pid=pid)
        await desk.call(agent, "get_action_brief", action_pid=pid)
        await desk.call(agent, "release_action", action_pid=pid)
    counts = {}
    report = {"status": "started", "message": "Wrote a test."}
    for name, fields in (
        ("claim_action", {}),
        ("get_action_brief", {}),
        ("update_progress", report),
        ("release_action", {}),
    ):
        round_trips.clear()
        await desk.call(agent, name, action_pid=first, **fields)
        counts[name] = len(round_trips)
    assert counts == {"claim_action": 3, "get_action_brief": 3, "update_progress": 2, "release_action": 2}


async def test_a_session_that_has_to_be_saved_is_saved_first_and_the_work_done_once(desk, agent):
    """Its process believes that it was just seen, but the clock says otherwise."""
    author = await desk.person("Ada")
    work = await published_spec(desk, author, actions=1, participants=(agent,))
    pid = work.actions[0]["pid"]
    await desk.call(agent, "claim_action", action_pid=pid)
    desk.clock.forward(SESSION_SEEN_GRAIN_US)
    await desk.call(agent, "update_progress", action_pid=pid, status="started", message="Once.")
    assert await desk.store.read(desk.workspace, lambda tx: tx.all(LAST_SEEN)) == [(desk.clock(),)]
    timeline = await desk.call(author, "list_events", action_pid=pid)
    assert [event["kind"] for event in timeline["events"]].count("action.progressed") == 1
