"""What a caller may have meant who named an action that they do not see. Only run for a refusal.

Who plans sees every action of the workspace; who builds sees what is ready, and is of no spec or published in theirs.
"""

from typing import NamedTuple

from pendesk.domain.action import ref_code
from pendesk.store.engine.tx import Tx
from pendesk.store.participants import takes_part

_VISIBLE = f"""(:planning = 1 OR a.state NOT IN ('backlog', 'scope'))
  AND (:all_specs = 1 OR a.spec_id IS NULL OR ({takes_part("a.spec_id")} AND EXISTS (SELECT 1 FROM specs sp
    JOIN build_actions n ON n.workspace_id = sp.workspace_id AND n.build_id = sp.build_id AND n.action_id = a.id
    WHERE sp.workspace_id = a.workspace_id AND sp.id = a.spec_id)))"""

KEYS = f"""
SELECT p.key FROM projects p WHERE p.workspace_id = :workspace AND EXISTS (
  SELECT 1 FROM actions a WHERE a.workspace_id = p.workspace_id AND a.project_id = p.id AND {_VISIBLE})
"""

_OF_PROJECT = """
SELECT a.ref_number FROM projects p JOIN actions a ON a.workspace_id = p.workspace_id AND a.project_id = p.id
WHERE p.workspace_id = :workspace AND p.key = :key"""

# Two statements, so that each walks its own way through the index by ref number.
UP_TO = f"{_OF_PROJECT} AND a.ref_number <= :number AND {_VISIBLE} ORDER BY a.ref_number DESC LIMIT :limit"
AFTER = f"{_OF_PROJECT} AND a.ref_number > :number AND {_VISIBLE} ORDER BY a.ref_number LIMIT :limit"


class Viewer(NamedTuple):
    """Who looks: by the planning tools or by the building ones, and whether at the specs of all or at their own."""

    user_id: str
    planning: bool
    all_specs: bool

    def parameters(self) -> dict[str, str | int]:
        return {"user_id": self.user_id, "planning": int(self.planning), "all_specs": int(self.all_specs)}


def keys_with_visible_actions(tx: Tx, viewer: Viewer) -> list[str]:
    return sorted(row[0] for row in tx.all(KEYS, **viewer.parameters()))


def visible_refs_near(tx: Tx, viewer: Viewer, key: str, number: int, limit: int) -> list[str]:
    place = {"key": key, "number": number, "limit": limit}
    rows = [row for statement in (UP_TO, AFTER) for row in tx.all(statement, **place, **viewer.parameters())]
    numbers = sorted((row[0] for row in rows), key=lambda near_number: abs(near_number - number))[:limit]
    return [ref_code(key, near_number) for near_number in numbers]
