"""Migration 0018: a log from before it, which lacks what the fold needs, folds to the state afterwards."""

import json
from pathlib import Path

import pytest

from pendesk.domain.access import Role
from pendesk.ids import new_id
from pendesk.store import events
from pendesk.store.engine import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.callers import seal_log, verify_log
from tests.desk import MINUTE, HandClock, TestDesk
from tests.folding import check_fold, folded_and_stored
from tests.workbench import drafted_spec, published_spec

KEY = b"the server's secret"
PR = "https://github.com/acme/desk/pull/7"
NEW_KINDS = ("criterion.advanced", "state.recorded")
NEW_FIELDS = (
    *("criterionIds", "planId", "lostClaimId", "claimId", "submissionId", "evidenceAdded", "reworded", "freshLevels"),
)
WRITE_EVENT = """
INSERT INTO events (workspace_id, seq, at, kind, actor_id, agent_model, door, object_id, project_id, spec_id, action_id,
  data)
VALUES (:workspace, :seq, :at, :kind, :actor_id, :agent_model, :door, :object_id, :project_id, :spec_id, :action_id,
  :data)
"""


class Database:
    def __init__(self, path: Path | None, url: str | None) -> None:
        self.path, self.url = path, url

    def open(self, clock: HandClock) -> TestDesk:
        store = SqliteStore(self.path, clock) if self.path else PostgresStore(self.url or "", clock, connections=4)
        return TestDesk(store, clock)

    def migrate(self) -> list[int]:
        return [migration.version for migration in migrate.migrate(self.path, self.url)]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    if request.param == "sqlite":
        yield Database(tmp_path / "pendesk.db", None)
        return
    name = f"states_{new_id().replace('-', '')}"
    yield Database(None, request.getfixturevalue("postgres").create_database(name))
    request.getfixturevalue("postgres").drop_database(name)


async def write_history(desk: TestDesk) -> None:
    await desk.open()
    ada, bea = await desk.person("Ada", Role.OWNER), await desk.person("Bea")
    work = await published_spec(desk, ada, actions=45, participants=(bea,))
    first, second, third, *_ = ({"action_pid": action["pid"]} for action in work.actions)
    ids = work.actions[0]["criteria"]
    for ref in (first, second, third):
        await desk.call(bea, "claim_action", **ref)
        await desk.call(bea, "get_action_brief", **ref)
    for ident in ids:
        await desk.call(bea, "report_test_result", **first, criterion_id=ident, outcome="passed")
    await desk.call(ada, "update_criterion", criterion_id=ids[0], text="It is blue and round")
    await desk.call(bea, "submit_for_review", **first, pr_url=PR, summary="Done.")
    await desk.call(ada, "review_action", **first, verdict="changes_requested", summary="Not yet.")
    await desk.call(bea, "request_clarification", **second, question="Which colour?")
    await desk.call(bea, "update_progress", **third, status="wont-do", message="Not needed.")
    desk.clock.forward(31 * MINUTE)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=ada.user_id)
    await desk.call(ada, "claim_action", **second)
    await desk.call(ada, "load_sample")
    gone = await drafted_spec(desk, ada, actions=2)
    other = await desk.call(ada, "create_plan", spec_id=gone.spec_id, title="Plan B", approach="Elsewhere.")
    await desk.call(ada, "move_action", action_id=gone.actions[0]["pid"], plan_id=other["pid"])
    await desk.call(ada, "delete_plan", plan_id=other["pid"])
    await desk.call(ada, "create_project", name="Empty")


def make_old(tx) -> None:
    """Leave in the log what programs before the migration wrote, under the numbers they gave."""
    logged = [event for event in events.all_after_ignoring_visibility(tx, 0, 100_000) if event.kind not in NEW_KINDS]
    tx.run("DELETE FROM events WHERE workspace_id = :workspace")
    for seq, event in enumerate(logged, 1):
        known = json.loads(event.data)
        left_out = () if event.kind in ("evidence.added", "commit.reported") else NEW_FIELDS
        data = json.dumps({name: value for name, value in known.items() if name not in left_out})
        tx.run(WRITE_EVENT, **event._replace(seq=seq, data=data)._asdict())
    counter = "UPDATE event_counters SET last_seq = :last WHERE workspace_id = :workspace"
    tx.run(counter, last=len(logged))
    tx.run("DELETE FROM schema_migrations WHERE version = 18")


async def test_an_old_log_folds_to_the_state_after_the_migration(database):
    database.migrate()
    clock = HandClock()
    desk = database.open(clock)
    await write_history(desk)
    other = database.open(clock)  # a second workspace, whose numbers are its own
    await other.open("Next door")
    await other.call(await other.person("Eve", Role.OWNER), "create_project", name="Harbour")
    for each in (desk, other):
        await each.store.write(each.workspace, make_old)
    folded, stored = await desk.store.read(desk.workspace, folded_and_stored)
    assert folded != stored
    old_log = await desk.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 100_000))
    await seal_log(desk.store, KEY)
    await desk.store.close()
    await other.store.close()

    assert database.migrate() == [18]
    migrated = database.open(clock)
    migrated.workspace, next_door = desk.workspace, other.workspace
    await check_fold(migrated)
    log = await migrated.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 100_000))
    assert log[: len(old_log)] == old_log
    recorded = log[len(old_log) :]
    assert [event.seq for event in recorded] == list(range(len(old_log) + 1, len(log) + 1))
    assert {event.kind for event in recorded} == {"state.recorded"}
    assert {json.loads(event.data)["count"] for event in recorded} >= {0, 5, 20}
    assert (await verify_log(migrated.store, KEY, desk.workspace)).findings == []
    beside = await migrated.store.read(next_door, lambda tx: events.all_after_ignoring_visibility(tx, 0, 100))
    assert [event.kind for event in beside] == ["project.created", "state.recorded"]

    author = await migrated.person("Cleo", Role.OWNER)
    await drafted_spec(migrated, author)  # numbering goes on, and so does the fold
    await check_fold(migrated)
    assert await seal_log(migrated.store, KEY) > len(recorded)
    assert (await verify_log(migrated.store, KEY, desk.workspace)).findings == []
    await migrated.store.close()
