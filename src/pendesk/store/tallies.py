"""How many actions a project has had, kept as they change: counting them would take the longer the more there are.

A change adds a row of its own, so that writers do not wait for each other; `fold` puts them together now and then.
"""

from collections import Counter

from pendesk.domain.action import CLOSED, Action
from pendesk.domain.limits import DAY_US, TALLIED_DAYS, TALLIES_FOLDED
from pendesk.ids import new_id
from pendesk.store import projects
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx

ADD = """
INSERT INTO action_tallies (workspace_id, project_id, kind, day, id, count)
VALUES (:workspace, :project_id, :kind, :day, :id, :count)
"""

# MATERIALIZED: the order of the groups would lure SQLite to an index of the whole workspace.
_COUNTED = """
WITH counted AS MATERIALIZED (
  SELECT workspace_id, project_id, {kind} AS kind, {at} / {day_us} AS day FROM actions
  WHERE workspace_id = :workspace AND {by} = :id
)
"""
_GROUPED = """
FROM counted WHERE kind IN ({kinds})
GROUP BY workspace_id, project_id, kind, day
"""
_TAKEN_BACK = f"""{_COUNTED}
INSERT INTO action_tallies (workspace_id, project_id, kind, day, id, count)
SELECT workspace_id, project_id, kind, day, :tally_id, -count(*) {_GROUPED}
"""
_MADE = {"kind": "'made'", "at": "created_at", "kinds": "'made'"}
_CLOSED = {"kind": "state", "at": "updated_at", "kinds": "'done', 'wont_do'"}

# Of an imported project, all of them.
COUNT_ALL = [
    f"{_COUNTED} SELECT kind, day, count(*) {_GROUPED}".format(**kind, by="project_id", day_us=DAY_US)
    for kind in (_MADE, _CLOSED)
]
# Before they are deleted: what they are chosen by -> the statements.
TAKE_BACK = {
    by: [_TAKEN_BACK.format(**kind, by=by, day_us=DAY_US) for kind in (_MADE, _CLOSED)]
    for by in ("id", "plan_id", "spec_id")
}

_SINCE = """
SELECT t.kind, CASE WHEN t.day < :first THEN 0 ELSE t.day END, CAST(sum(t.count) AS BIGINT)
FROM projects p CROSS JOIN action_tallies t
WHERE p.workspace_id = :workspace {of_project} AND t.workspace_id = p.workspace_id AND t.project_id = p.id
GROUP BY 1, 2
"""
SINCE_OF_PROJECT = _SINCE.format(of_project="AND p.id = :project_id")
SINCE_OF_ALL = _SINCE.format(of_project="")

WORKSPACES_TO_FOLD = """
SELECT DISTINCT workspace_id FROM action_tallies WHERE workspace_id > :after AND id <> ''
ORDER BY workspace_id LIMIT :limit
"""

PROJECTS_TO_FOLD = "SELECT DISTINCT project_id FROM action_tallies WHERE workspace_id = :workspace AND id <> ''"

TO_FOLD = """
SELECT kind, day, id, count FROM action_tallies
WHERE workspace_id = :workspace AND project_id = :project_id AND (id <> '' OR (day > 0 AND day < :oldest)) LIMIT :limit
"""

DROP_FOLDED = """
DELETE FROM action_tallies
WHERE workspace_id = :workspace AND project_id = :project_id AND kind = :kind AND day = :day AND id IN (EACH :ids)
"""

ADD_FOLDED = """
INSERT INTO action_tallies (workspace_id, project_id, kind, day, id, count)
VALUES (:workspace, :project_id, :kind, :day, '', :count)
ON CONFLICT (workspace_id, project_id, kind, day, id) DO UPDATE SET count = action_tallies.count + excluded.count
"""


def count_new(tx: Tx, action: Action) -> None:
    _add(tx, action, "made", 1)
    if action.state in CLOSED:
        _add(tx, action, action.state, 1)


def count_change(tx: Tx, before: Action, after: Action) -> None:
    """Of its state. What is open is not kept: it is few, and changes with every claim."""
    if before.state == after.state:
        return
    if before.state in CLOSED:
        _add(tx, after, before.state, -1)
    if after.state in CLOSED:
        _add(tx, after, after.state, 1)


def _add(tx: Tx, action: Action, kind: str, count: int) -> None:
    tx.run(ADD, project_id=action.project_id, kind=kind, day=tx.now // DAY_US, id=new_id(), count=count)


def count_all(tx: Tx, project_id: str) -> list[Row]:
    """Kind, day and count of all actions of an imported project."""
    return [row for statement in COUNT_ALL for row in tx.all(statement, id=project_id)]


def add_counts(tx: Tx, project_id: str, counts: list[Row]) -> None:
    for kind, day, count in counts:
        tx.run(ADD, project_id=project_id, kind=kind, day=day, id=new_id(), count=count)


def take_back(tx: Tx, by: str, value: str) -> None:
    """Of the actions that are about to be deleted."""
    for statement in TAKE_BACK[by]:
        tx.run(statement, id=value, tally_id=new_id())


def by_kind_and_day(tx: Tx, project_id: str, first_day: int) -> dict[tuple[str, int], int]:
    """Of the days from `first_day` on; what was before it stands under day 0. An empty id: of every project."""
    if project_id:
        rows = tx.all(SINCE_OF_PROJECT, project_id=project_id, first=first_day)
    else:
        rows = tx.all(SINCE_OF_ALL, first=first_day)
    return {(row[0], row[1]): row[2] for row in rows}


def workspace_ids_to_fold(tx: Tx, after: str, limit: int) -> list[str]:
    return [row[0] for row in tx.all(WORKSPACES_TO_FOLD, after=after, limit=limit)]


def fold(tx: Tx) -> None:
    for (project_id,) in tx.all(PROJECTS_TO_FOLD):
        _fold_project(tx, project_id)


def _fold_project(tx: Tx, project_id: str) -> None:
    """Two servers that fold at once would count a row twice, so the project is locked."""
    projects.lock(tx, project_id)
    oldest = tx.now // DAY_US - TALLIED_DAYS
    sums: Counter[tuple[str, int]] = Counter()
    ids: dict[tuple[str, int], list[str]] = {}
    for kind, day, ident, count in tx.all(TO_FOLD, project_id=project_id, oldest=oldest, limit=TALLIES_FOLDED):
        sums[kind, 0 if day < oldest else day] += count
        ids.setdefault((kind, day), []).append(ident)
    for (kind, day), of_day in ids.items():
        tx.run(DROP_FOLDED, project_id=project_id, kind=kind, day=day, ids=to_json(of_day))
    for (kind, day), count in sums.items():
        tx.run(ADD_FOLDED, project_id=project_id, kind=kind, day=day, count=count)
