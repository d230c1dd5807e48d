"""How far a workspace has come with its beginning."""

from typing import NamedTuple

from pendesk.store.engine.tx import Tx


class FirstSteps(NamedTuple):
    project: bool
    spec: bool
    published: bool
    connected: bool
    project_key: str | None
    draft_id: str | None


STEPS = """
SELECT EXISTS (SELECT 1 FROM projects WHERE workspace_id = :workspace),
  EXISTS (SELECT 1 FROM specs WHERE workspace_id = :workspace),
  EXISTS (SELECT 1 FROM builds WHERE workspace_id = :workspace),
  EXISTS (SELECT 1 FROM tokens WHERE workspace_id = :workspace AND last_used_at IS NOT NULL),
  (SELECT key FROM projects WHERE workspace_id = :workspace ORDER BY id LIMIT 1),
  (SELECT id FROM specs WHERE workspace_id = :workspace AND build_id IS NULL ORDER BY id LIMIT 1)
"""


def first_steps_progress(tx: Tx) -> FirstSteps:
    row = tx.one(STEPS)
    assert row is not None
    project, spec, published, connected, project_key, draft_id = row
    return FirstSteps(bool(project), bool(spec), bool(published), bool(connected), project_key, draft_id)
