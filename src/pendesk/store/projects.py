"""Queries on projects and goals."""

from pendesk.domain.action import CLOSED, ActionState
from pendesk.domain.project import Goal, Project
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

# Of actions: one after the other, so that each has its range of the index.
OPEN_STATES = "(" + ", ".join(f"'{state}'" for state in ActionState if state not in CLOSED) + ")"


def is_there(project_id: str) -> str:
    """The condition that the project of that column is there: one that is being imported on SQLite is saved in parts,
    its own row last. Whatever finds rows by their ids, or in the whole workspace, has it or joins the project.
    """
    return f"{project_id} NOT IN (SELECT ui.project_id FROM unfinished_imports ui WHERE ui.workspace_id = :workspace)"


INSERT = insert_sql("projects", Project)
INSERT_GOAL = insert_sql("goals", Goal)

BY_ID = f"SELECT {columns_sql(Project)} FROM projects WHERE workspace_id = :workspace AND id = :id"

BY_KEY = f"SELECT {columns_sql(Project)} FROM projects WHERE workspace_id = :workspace AND key = :key"

LOCK = "SELECT 1 FROM projects WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

KEYS = "SELECT key FROM projects WHERE workspace_id = :workspace"

WITHOUT_ACTIVITY = "SELECT id FROM projects WHERE workspace_id = :workspace AND keeps_activity = 0"

NEXT_REF = """
UPDATE projects SET last_ref = last_ref + 1 WHERE workspace_id = :workspace AND id = :id
"""

PAGE = f"""
SELECT {columns_sql(Project)} FROM projects WHERE workspace_id = :workspace AND id > :after ORDER BY id LIMIT :limit
"""

EDIT = """
UPDATE projects SET name = :name, description = :description, state = :state, repository_url = :repository_url,
  require_evidence = :require_evidence, refuse_overlap = :refuse_overlap, revision = :revision, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""

SET_KEEPS_ACTIVITY = """
UPDATE projects SET keeps_activity = :keeps_activity WHERE workspace_id = :workspace AND id = :id
"""

# What is closed is not counted, but kept (store/tallies.py).
COUNTS_BY_STATE = f"""
SELECT state, count(*) FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id
  AND state IN {OPEN_STATES}
GROUP BY state
UNION ALL
SELECT kind, CAST(sum(count) AS BIGINT) FROM action_tallies
WHERE workspace_id = :workspace AND project_id = :project_id AND kind IN ('done', 'wont_do')
GROUP BY kind HAVING sum(count) > 0
"""

GOAL = f"""
SELECT {columns_sql(Goal)} FROM goals WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

GOALS_OF = f"""
SELECT {columns_sql(Goal)} FROM goals WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY position, id
"""

EDIT_GOAL = """
UPDATE goals SET title = :title, description = :description, position = :position, revision = :revision,
  updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, project: Project) -> None:
    tx.run(INSERT, **project._asdict())


def by_id(tx: Tx, project_id: str) -> Project | None:
    row = tx.one(BY_ID, id=project_id)
    return Project(*row) if row else None


def set_keeps_activity(tx: Tx, project_id: str, *, keeps: bool) -> None:
    tx.run(SET_KEEPS_ACTIVITY, id=project_id, keeps_activity=None if keeps else 0)


def ids_without_activity(tx: Tx) -> set[str]:
    return {row[0] for row in tx.all(WITHOUT_ACTIVITY)}


def by_key(tx: Tx, key: str) -> Project | None:
    row = tx.one(BY_KEY, key=key)
    return Project(*row) if row else None


def lock(tx: Tx, project_id: str) -> None:
    tx.lock(LOCK, id=project_id)


def keys(tx: Tx) -> set[str]:
    return {row[0] for row in tx.all(KEYS)}


def allocate_action_ref_number(tx: Tx, project: Project) -> int:
    """The next number for a ref code; the project must be locked."""
    tx.run(NEXT_REF, id=project.id)
    return project.last_ref + 1


def page(tx: Tx, after: str, limit: int) -> list[Project]:
    return [Project(*row) for row in tx.all(PAGE, after=after, limit=limit)]


def update(tx: Tx, project: Project) -> None:
    tx.run(
        EDIT,
        id=project.id,
        name=project.name,
        description=project.description,
        state=project.state,
        repository_url=project.repository_url,
        require_evidence=project.require_evidence,
        refuse_overlap=project.refuse_overlap,
        revision=project.revision,
        now=tx.now,
    )


def action_counts_by_state(tx: Tx, project_id: str) -> dict[str, int]:
    """How many actions are in each state; states without any are left out."""
    return {row[0]: row[1] for row in tx.all(COUNTS_BY_STATE, project_id=project_id)}


def goal_by_id(tx: Tx, goal_id: str) -> Goal | None:
    row = tx.one(GOAL, id=goal_id)
    return Goal(*row) if row else None


def goals_of(tx: Tx, project_id: str) -> list[Goal]:
    return [Goal(*row) for row in tx.all(GOALS_OF, project_id=project_id)]


def update_goal(tx: Tx, goal: Goal) -> None:
    tx.run(
        EDIT_GOAL,
        id=goal.id,
        title=goal.title,
        description=goal.description,
        position=goal.position,
        revision=goal.revision,
        now=tx.now,
    )


def add_goal(tx: Tx, goal: Goal) -> None:
    tx.run(INSERT_GOAL, **goal._asdict())
