"""Queries of what decides whether a caller can have an action: the facts, never the rule (domain/availability.py)."""

from collections.abc import Collection
from typing import NamedTuple

from pendesk.domain.action import ActionState, ref_code
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.assignee import Assignee, CallerIdentity
from pendesk.domain.claim import ClaimKind, ClaimState
from pendesk.domain.limits import CLAIMABLE_CANDIDATES
from pendesk.store import agent_sessions
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, any_row_sql
from pendesk.store.participants import takes_part
from pendesk.store.prerequisites import waits
from pendesk.store.projects import OPEN_STATES


class ActionStanding(NamedTuple):
    """An action with its newest claim and what stands in a caller's way. `holder_session` is None for a person.

    `refuses_overlap`: of its project.
    """

    id: str
    spec_id: str | None
    project_key: str
    ref: str
    state: ActionState
    fence: int
    project_active: bool
    published: bool
    participant: bool
    waits: bool
    claim_user_id: str | None
    claim_state: ClaimState | None
    taken_at: int
    renewed_at: int
    expires_at: int
    claim_kind: ClaimKind | None
    holder: str
    priority: int
    due_on: str | None
    assignee: Assignee
    project_id: str
    declares_paths: bool
    refuses_overlap: bool
    holder_session: AgentSession | None


# A task without a spec needs no build, and every member of the workspace may take it.
_IN_BUILD = any_row_sql("""SELECT 1 FROM build_actions n
  WHERE n.workspace_id = a.workspace_id AND n.build_id = sp.build_id AND n.action_id = a.id""")
_COLUMNS = f"""
a.id, a.spec_id, p.key, a.ref_number, a.state, a.fence, p.state,
CASE WHEN a.spec_id IS NULL OR {_IN_BUILD} THEN 1 ELSE 0 END,
CASE WHEN a.spec_id IS NULL OR {takes_part("a.spec_id")} THEN 1 ELSE 0 END,
CASE WHEN {waits("a")} THEN 1 ELSE 0 END,
c.user_id, c.state, c.taken_at, c.renewed_at, c.expires_at, c.kind, u.name,
a.priority, a.due_on, a.assignee_user_id, a.assignee_agent_id,
a.project_id, CASE WHEN a.paths <> '[]' THEN 1 ELSE 0 END, p.refuse_overlap, {agent_sessions.COLUMNS}
"""
_PROJECT = "JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id"
_SPEC_AND_HOLDER = """
LEFT JOIN specs sp ON sp.workspace_id = a.workspace_id AND sp.id = a.spec_id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
LEFT JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
"""

OF_ACTIONS = f"""
SELECT {_COLUMNS} FROM actions a {_PROJECT} {_SPEC_AND_HOLDER}
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)
"""

# By what is open, not by the specs: those that are finished become ever more.
_OPEN = """
p.workspace_id = :workspace AND p.state = 'active' AND a.workspace_id = p.workspace_id AND a.project_id = p.id
  AND a.state IN ('todo', 'in_progress', 'in_review', 'changes_requested')"""
COUNT_OPEN = f"""
SELECT count(*) FROM (SELECT 1 FROM projects p CROSS JOIN actions a WHERE {_OPEN} LIMIT :limit) first_ones
"""
OPEN_OF_PARTICIPANT = f"""
SELECT {_COLUMNS} FROM projects p CROSS JOIN actions a {_SPEC_AND_HOLDER}
WHERE {_OPEN} AND a.spec_id IS NOT NULL AND sp.build_id IS NOT NULL AND {takes_part("a.spec_id")}
ORDER BY a.spec_id, a.position, a.ref_number
"""

# Those that are not closed, of a project or of all.
_OPEN_OF_PROJECTS = f"""
SELECT {_COLUMNS} FROM projects p CROSS JOIN actions a {_SPEC_AND_HOLDER}
WHERE p.workspace_id = :workspace {{of_project}} AND a.workspace_id = p.workspace_id AND a.project_id = p.id
  AND a.state IN {OPEN_STATES}
"""
OPEN_OF_PROJECT = _OPEN_OF_PROJECTS.format(of_project="AND p.id = :project_id")
OPEN_OF_ALL = _OPEN_OF_PROJECTS.format(of_project="")

# Of specs, what decides about all of their actions.
OF_SPECS = f"""
SELECT s.id, s.build_id, CASE WHEN {takes_part("s.id")} THEN 1 ELSE 0 END FROM specs s
WHERE s.workspace_id = :workspace AND s.id IN (EACH :ids)
"""
IN_BUILDS = "SELECT action_id FROM build_actions WHERE workspace_id = :workspace AND build_id IN (EACH :ids)"

# A look ahead for the few that are wanted of a spec; whether they are free, the rule says.
CANDIDATES_OF_SPEC = f"""
SELECT {_COLUMNS} FROM actions a {_PROJECT} {_SPEC_AND_HOLDER}
WHERE a.workspace_id = :workspace AND a.spec_id = :spec_id
  AND (a.state = 'todo' OR (a.state = 'in_progress' AND c.expires_at <= :now)) AND NOT {waits("a")}
ORDER BY a.position, a.ref_number LIMIT :limit
"""

# What takes no spec, of active projects, and may be free.
_WITHOUT_SPEC = """
FROM projects p CROSS JOIN actions a LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
WHERE p.workspace_id = :workspace AND p.state = 'active' AND a.workspace_id = p.workspace_id AND a.project_id = p.id
  AND a.spec_id IS NULL AND a.state IN ('todo', 'in_progress', 'changes_requested')"""
_FREE = f"(a.state = 'todo' OR (a.state = 'in_progress' AND c.expires_at <= :now)) AND NOT {waits('a')}"

# There can be thousands: only what is the caller's or free is chosen, the most urgent, and filled afterwards.
OPEN_WITHOUT_SPEC = f"""
SELECT {_COLUMNS} FROM (SELECT a.id {_WITHOUT_SPEC} AND (c.user_id = :user_id OR ({_FREE}))
  ORDER BY a.priority DESC, p.key, a.ref_number LIMIT :limit) chosen
CROSS JOIN actions a {_PROJECT} {_SPEC_AND_HOLDER}
WHERE a.workspace_id = :workspace AND a.id = chosen.id
ORDER BY a.priority DESC, p.key, a.ref_number
"""

# Of those the caller's own: they may lie behind all that the statement above looks at.
_ASSIGNED_WITHOUT_SPEC = f"""
SELECT {_COLUMNS} FROM projects p CROSS JOIN actions a {_SPEC_AND_HOLDER}
WHERE p.workspace_id = :workspace AND p.state = 'active' AND a.workspace_id = p.workspace_id AND a.project_id = p.id
  AND {{assigned}} AND a.spec_id IS NULL AND a.state IN ('todo', 'in_progress', 'changes_requested')
  AND NOT {waits("a")}
ORDER BY a.priority DESC, a.ref_number LIMIT :limit
"""
# By an expression, which has no index: that of all that was ever assigned to somebody is the longer way.
ASSIGNED_TO_USER_WITHOUT_SPEC = _ASSIGNED_WITHOUT_SPEC.format(assigned="a.assignee_user_id || '' = :user_id")
ASSIGNED_TO_AGENT_WITHOUT_SPEC = _ASSIGNED_WITHOUT_SPEC.format(assigned="a.assignee_agent_id || '' = :agent_id")
FREE_WITHOUT_SPEC = f"SELECT p.key, count(*) {_WITHOUT_SPEC} AND {_FREE} GROUP BY p.key"

# Published specs of active projects that the user takes no part in; and theirs that are not published, or paused.
OUT_OF_REACH = f"""
SELECT
  count(CASE WHEN s.build_id IS NOT NULL AND p.state = 'active' AND NOT {takes_part("s.id")} THEN 1 END),
  count(CASE WHEN s.build_id IS NULL AND p.state = 'active' AND {takes_part("s.id")} THEN 1 END),
  count(CASE WHEN p.state <> 'active' AND {takes_part("s.id")} THEN 1 END)
FROM specs s
JOIN projects p ON p.workspace_id = s.workspace_id AND p.id = s.project_id
WHERE s.workspace_id = :workspace
"""


class SpecsOutOfReach(NamedTuple):
    not_a_participant: int
    unpublished: int
    project_not_active: int


def of_actions(tx: Tx, action_ids: list[str], user_id: str) -> dict[str, ActionStanding]:
    """By action id."""
    rows = tx.all(OF_ACTIONS, ids=to_json(action_ids), user_id=user_id) if action_ids else []
    return {row[0]: _standing(row) for row in rows}


def participated_spec_ids_and_published_action_ids(
    tx: Tx, spec_ids: Collection[str], user_id: str
) -> tuple[set[str], set[str]]:
    """Of these specs: those that the user takes part in, and the actions that their newest builds hold."""
    rows = tx.all(OF_SPECS, ids=to_json(list(spec_ids)), user_id=user_id) if spec_ids else []
    build_ids = [build_id for _, build_id, _ in rows if build_id is not None]
    published = {row[0] for row in tx.all(IN_BUILDS, ids=to_json(build_ids))} if build_ids else set()
    return {spec_id for spec_id, _, takes_part in rows if takes_part}, published


def count_open(tx: Tx, limit: int) -> int:
    """Of active projects; no more than the limit are counted."""
    row = tx.one(COUNT_OPEN, limit=limit)
    assert row is not None
    count: int = row[0]
    return count


def open_of_participant(tx: Tx, user_id: str) -> list[ActionStanding]:
    """All that is not closed in the published specs that the user takes part in, spec by spec in the order of plans."""
    return [_standing(row) for row in tx.all(OPEN_OF_PARTICIPANT, user_id=user_id)]


def open_of_project(tx: Tx, project_id: str, user_id: str) -> list[ActionStanding]:
    """An empty id: of every project."""
    if project_id:
        rows = tx.all(OPEN_OF_PROJECT, project_id=project_id, user_id=user_id)
    else:
        rows = tx.all(OPEN_OF_ALL, user_id=user_id)
    return [_standing(row) for row in rows]


def claimable_candidates_of_spec(tx: Tx, spec_id: str, user_id: str) -> list[ActionStanding]:
    rows = tx.all(CANDIDATES_OF_SPEC, spec_id=spec_id, user_id=user_id, now=tx.now, limit=CLAIMABLE_CANDIDATES)
    return [_standing(row) for row in rows]


def open_without_spec(tx: Tx, caller: CallerIdentity, limit: int) -> list[ActionStanding]:
    """What is assigned to the caller, and the most urgent of the rest."""
    user_id = caller.user_id
    rows = tx.all(ASSIGNED_TO_USER_WITHOUT_SPEC, user_id=user_id, limit=limit)
    if caller.agent_id is not None:
        rows += tx.all(ASSIGNED_TO_AGENT_WITHOUT_SPEC, user_id=user_id, agent_id=caller.agent_id, limit=limit)
    rows += tx.all(OPEN_WITHOUT_SPEC, user_id=user_id, limit=limit, now=tx.now)
    return list({row[0]: _standing(row) for row in rows}.values())


def free_counts_without_spec_by_project_key(tx: Tx) -> dict[str, int]:
    return dict(tx.all(FREE_WITHOUT_SPEC, now=tx.now))


def specs_out_of_reach(tx: Tx, user_id: str) -> SpecsOutOfReach:
    row = tx.one(OUT_OF_REACH, user_id=user_id)
    assert row is not None
    return SpecsOutOfReach(*row)


def _standing(row: Row) -> ActionStanding:
    ident, spec_id, key, number, state, fence, project_state, published, participant, waiting = row[:10]
    claim_user_id, claim_state, taken_at, renewed_at, expires_at, claim_kind, holder = row[10:17]
    priority, due_on, assignee_user_id, assignee_agent_id, project_id, declares_paths, refuses_overlap = row[17:24]
    return ActionStanding(
        id=ident,
        spec_id=spec_id,
        project_key=key,
        ref=ref_code(key, number),
        state=state,
        fence=fence,
        project_active=project_state == "active",
        published=bool(published),
        participant=bool(participant),
        waits=bool(waiting),
        claim_user_id=claim_user_id,
        claim_state=claim_state,
        taken_at=taken_at or 0,
        renewed_at=renewed_at or 0,
        expires_at=expires_at or 0,
        claim_kind=claim_kind,
        holder=holder or "",
        priority=priority,
        due_on=due_on,
        assignee=Assignee(assignee_user_id, assignee_agent_id),
        project_id=project_id,
        declares_paths=bool(declares_paths),
        refuses_overlap=bool(refuses_overlap),
        holder_session=AgentSession(*row[24:]) if row[24] is not None else None,
    )
