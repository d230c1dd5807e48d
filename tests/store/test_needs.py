"""What waits for people is found by indexes that hold nothing else."""

import apsw

from pendesk.store import needs
from pendesk.store.engine import dialect
from pendesk.store.engine.migrate import migrate
from tests.statements import values

OPEN = {
    "clarifications_waiting",
    "actions_in_review",
    "claims_active_by_user",
    "inbox_items_pending",
    "proposals_open",
    "actions_dropped",
    "actions_changes_requested",
}


def test_counting_what_waits_begins_at_what_is_open(tmp_path):
    migrate(tmp_path / "pendesk.db", None)
    connection = apsw.Connection(str(tmp_path / "pendesk.db"))
    sql = dialect.to_sqlite_sql(needs.COUNTS)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values("needs.COUNTS", sql))]
    begins = [line.split(" INDEX ")[1].split()[0] for line in plan if line.endswith("(workspace_id=?)")]
    assert set(begins) == OPEN
