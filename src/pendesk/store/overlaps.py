"""Queries on which files actions touch, what is at work, and what overlaps (domain/overlap.py is the rule)."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pendesk.domain.action import ref_code
from pendesk.domain.limits import OVERLAP_AT_WORK, OVERLAP_PATHS_PER_ACTION, OVERLAP_SIBLINGS
from pendesk.domain.overlap import Basis, Overlap
from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.engine.tx import Tx


class ActionPaths(NamedTuple):
    """An action with what it declares: `paths` is a JSON list of globs."""

    id: str
    project_id: str
    spec_id: str | None
    area: str
    paths: str


class SavedOverlap(NamedTuple):
    """`was_told`: both agents know of it."""

    other_id: str
    overlap: Overlap
    was_told: bool


class OverlapOfCard(NamedTuple):
    other_ref: str
    overlap: Overlap


_COLUMNS = "a.id, a.project_id, a.spec_id, a.area, a.paths"
_UNIT = "a.workspace_id = :workspace AND a.project_id = :project_id"

# By an index each, the newest of each state: what is submitted can be much.
AT_WORK = f"""
SELECT * FROM (SELECT {_COLUMNS} FROM actions a
  JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.state = 'active' AND c.expires_at > :now
  WHERE {_UNIT} AND a.state = 'in_progress' ORDER BY a.id DESC LIMIT :limit) AS held
UNION ALL
SELECT * FROM (SELECT {_COLUMNS} FROM actions a
  WHERE {_UNIT} AND a.state = 'changes_requested' ORDER BY a.id DESC LIMIT :limit) AS requested
UNION ALL
SELECT * FROM (SELECT {_COLUMNS} FROM actions a
  WHERE {_UNIT} AND a.state = 'in_review' ORDER BY a.id DESC LIMIT :limit) AS submitted
"""

BY_IDS = f"SELECT {_COLUMNS} FROM actions a WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)"

# Of the newest change of each. What is renamed touches both names. Part and position are hidden from the planner:
# PostgreSQL, as long as it has no figures, would rather find all files of a workspace by them than those of a change.
_CHANGED = """
SELECT c.action_id, f.path, CASE WHEN f.status = 'renamed' THEN f.old_path END FROM changes c CROSS JOIN change_files f
WHERE c.workspace_id = :workspace AND c.action_id IN (EACH :ids) AND c.id = (
    SELECT n.id FROM changes n WHERE n.workspace_id = c.workspace_id AND n.action_id = c.action_id
    ORDER BY n.pushed_at DESC, n.id DESC LIMIT 1)
  AND f.workspace_id = c.workspace_id AND f.change_id = c.id
  AND f.part || '' = 'change' AND f.position + 0 < :per_action
"""

CHANGED_OR_COMMITTED = f"""
{_CHANGED}
UNION ALL
SELECT * FROM (SELECT l.action_id, f.path, CAST(NULL AS TEXT) FROM commit_actions l CROSS JOIN commit_paths f
  WHERE l.workspace_id = :workspace AND l.action_id IN (EACH :ids)
    AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.workspace_id = l.workspace_id AND c.action_id = l.action_id)
    AND f.workspace_id = l.workspace_id AND f.commit_id = l.commit_id LIMIT :limit) AS committed
"""

_ROWS_PER_INSERT = 5_000
ADD_COMMIT_PATHS = """
INSERT INTO commit_paths (workspace_id, commit_id, path)
SELECT :workspace, r.commit_id, r.path FROM (EACH ROW OF :rows (commit_id TEXT, path TEXT)) AS r WHERE true
ON CONFLICT (workspace_id, commit_id, path) DO NOTHING
"""

# Of the specs, in each area: what has changed something. The state is hidden from the planner: PostgreSQL, as long as
# it has no figures, would rather go through all actions of a workspace by it than through those of a spec.
SIBLINGS = """
SELECT a.spec_id, a.area, a.id FROM actions a
WHERE a.workspace_id = :workspace AND a.spec_id IN (EACH :spec_ids)
  AND a.state || '' IN ('in_progress', 'in_review', 'changes_requested', 'done') AND a.area IN (EACH :areas)
  AND (EXISTS (
    SELECT 1 FROM changes c WHERE c.workspace_id = a.workspace_id AND c.action_id = a.id) OR EXISTS (
    SELECT 1 FROM commit_actions l CROSS JOIN commit_paths f
    WHERE l.workspace_id = a.workspace_id AND l.action_id = a.id
      AND f.workspace_id = l.workspace_id AND f.commit_id = l.commit_id))
ORDER BY a.updated_at DESC LIMIT :limit
"""

SAVE = """
INSERT INTO action_overlaps (workspace_id, action_id, other_action_id, basis, paths, count, found_at, told_at)
SELECT :workspace, r.action_id, r.other_id, r.basis, r.paths, r.count, :now, r.told_at
FROM (EACH ROW OF :rows (action_id TEXT, other_id TEXT, basis TEXT, paths TEXT, count BIGINT, told_at BIGINT)) AS r
WHERE true
ON CONFLICT (workspace_id, action_id, other_action_id) DO UPDATE
SET basis = excluded.basis, paths = excluded.paths, count = excluded.count, found_at = excluded.found_at,
  told_at = excluded.told_at
"""

OF_ACTION = """
SELECT other_action_id, basis, paths, count, told_at FROM action_overlaps
WHERE workspace_id = :workspace AND action_id = :action_id AND count > 0
"""

# Also those that overlap no longer: whoever was said to must learn that.
PARTNERS = """
SELECT other_action_id FROM action_overlaps WHERE workspace_id = :workspace AND action_id IN (EACH :ids)
"""


# In two steps: mostly nothing overlaps, and PostgreSQL, as long as it has no figures, would rather join all actions of
# a workspace with each other first.
OF_CARDS = """
SELECT action_id, other_action_id, basis, paths, count, found_at FROM action_overlaps
WHERE workspace_id = :workspace AND action_id IN (EACH :ids) AND count > 0
"""

# As in AT_WORK, with when each was claimed.
AT_WORK_SINCE = """
SELECT a.id, p.key, a.ref_number, c.taken_at FROM actions a
JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)
  AND a.state IN ('in_progress', 'in_review', 'changes_requested')
  AND (a.state <> 'in_progress' OR (c.state = 'active' AND c.expires_at > :now))
"""


def add_commit_paths(tx: Tx, paths_by_commit_id: Mapping[str, Sequence[str]]) -> None:
    """Who brings a commit again brings the same."""
    rows = [(commit_id, path) for commit_id, paths in paths_by_commit_id.items() for path in paths]
    for start in range(0, len(rows), _ROWS_PER_INSERT):
        tx.run(ADD_COMMIT_PATHS, rows=to_json(rows[start : start + _ROWS_PER_INSERT]))


def at_work(tx: Tx, project_id: str) -> list[ActionPaths]:
    rows = tx.all(AT_WORK, project_id=project_id, now=tx.now, limit=OVERLAP_AT_WORK)
    return [ActionPaths(*row) for row in rows[:OVERLAP_AT_WORK]]


def read_ahead_at_work(tx: Tx, project_id: str) -> None:
    tx.read_ahead(AT_WORK, project_id=project_id, now=tx.now, limit=OVERLAP_AT_WORK)


def by_ids(tx: Tx, action_ids: Collection[str]) -> list[ActionPaths]:
    return [ActionPaths(*row) for row in tx.all(BY_IDS, ids=to_json(sorted(action_ids)))]


def changed_paths_by_action_id(tx: Tx, action_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Of the newest change; of the commits, where there is none."""
    paths: dict[str, set[str]] = {}
    per_action, limit = OVERLAP_PATHS_PER_ACTION, OVERLAP_PATHS_PER_ACTION * len(action_ids)
    for action_id, path, old_path in tx.all(
        CHANGED_OR_COMMITTED, ids=to_json(sorted(action_ids)), per_action=per_action, limit=limit
    ):
        touched = paths.setdefault(action_id, set())
        touched.add(path)
        if old_path is not None:
            touched.add(old_path)
    return {action_id: frozenset(touched) for action_id, touched in paths.items()}


def sibling_ids(tx: Tx, actions: Collection[ActionPaths]) -> dict[tuple[str | None, str], list[str]]:
    """(spec, area) -> those of its actions that have changed something, the newest; of the groups of these actions."""
    groups = {(action.spec_id, action.area) for action in actions if action.spec_id is not None and action.area}
    siblings: dict[tuple[str | None, str], list[str]] = {group: [] for group in groups}
    if not groups:
        return siblings
    spec_ids, areas = zip(*groups, strict=True)
    rows = tx.all(SIBLINGS, spec_ids=to_json(spec_ids), areas=to_json(areas), limit=OVERLAP_SIBLINGS * len(groups))
    for spec_id, area, action_id in rows:
        if (spec_id, area) in siblings:
            siblings[spec_id, area].append(action_id)
    return siblings


def save(tx: Tx, action_id: str, overlaps: Mapping[str, Overlap | None], told_ids: Collection[str] = ()) -> None:
    """With others, by the id of each, in both directions; None: no longer. Nothing is deleted, and all write in one
    order, so that two who meet do not wait in a circle.
    """
    rows = []
    for other_id, overlap in overlaps.items():
        basis, paths, count = overlap or Overlap(Basis.LIKELY, (), 0)
        details = (basis, to_json(list(paths)), count, tx.now if other_id in told_ids else None)
        rows += [(action_id, other_id, *details), (other_id, action_id, *details)]
    if rows:
        tx.run(SAVE, rows=to_json(sorted(rows)), now=tx.now)


def ids_of_partners(tx: Tx, action_ids: Collection[str]) -> set[str]:
    """Whatever overlaps with any of them, or did."""
    return {row[0] for row in tx.all(PARTNERS, ids=to_json(sorted(action_ids)))}


def of_action(tx: Tx, action_id: str) -> list[SavedOverlap]:
    return [
        SavedOverlap(other_id, Overlap(Basis(basis), tuple(from_json(paths)), count), told_at is not None)
        for other_id, basis, paths, count, told_at in tx.all(OF_ACTION, action_id=action_id)
    ]


def of_cards(tx: Tx, action_ids: Collection[str]) -> dict[str, list[OverlapOfCard]]:
    """By action id: with what is at work beside it, both by the claim that they had when it was found."""
    rows = tx.all(OF_CARDS, ids=to_json(sorted(action_ids))) if action_ids else []
    if not rows:
        return {}
    ids = {action_id for row in rows for action_id in row[:2]}
    at_work = {row[0]: row[1:] for row in tx.all(AT_WORK_SINCE, ids=to_json(sorted(ids)), now=tx.now)}
    overlaps: dict[str, list[OverlapOfCard]] = {}
    for action_id, other_id, basis, paths, count, found_at in sorted(
        (row for row in rows if row[0] in at_work and row[1] in at_work), key=lambda row: at_work[row[1]][1]
    ):
        key, number, taken_at = at_work[other_id]
        if max(taken_at, at_work[action_id][2]) <= found_at:
            overlap = Overlap(Basis(basis), tuple(from_json(paths)), count)
            overlaps.setdefault(action_id, []).append(OverlapOfCard(ref_code(key, number), overlap))
    return overlaps
