"""Deleting what hangs on actions, specs and projects, in the order that references allow. The log keeps its events."""

from pendesk.store import tallies
from pendesk.store.engine.tx import Tx

_MINE = "workspace_id = :workspace AND"
_ACTIONS = f"SELECT id FROM actions WHERE {_MINE} {{by}} = :id"
# What was not read yet then never is: news without its message tells nothing.
_ACTIONS_BY = [
    f"DELETE FROM watch_news WHERE {_MINE} action_id IN ({{actions}})",
    f"DELETE FROM watches WHERE {_MINE} object_id IN ({{actions}})",
    f"""DELETE FROM mentions WHERE {_MINE} comment_id IN (
      SELECT id FROM comments WHERE {_MINE} action_id IN ({{actions}}))""",
    f"""DELETE FROM message_deliveries WHERE {_MINE} message_id IN (
      SELECT id FROM messages WHERE {_MINE} action_id IN ({{actions}}))""",
    f"DELETE FROM messages WHERE {_MINE} action_id IN ({{actions}})",
    f"DELETE FROM review_items WHERE {_MINE} action_id IN ({{actions}})",
    f"""DELETE FROM change_files WHERE {_MINE} change_id IN (
      SELECT id FROM changes WHERE {_MINE} action_id IN ({{actions}}))""",
    f"""DELETE FROM command_results WHERE {_MINE} submission_id IN (
      SELECT id FROM submissions WHERE {_MINE} action_id IN ({{actions}}))""",
    f"DELETE FROM action_overlaps WHERE {_MINE} other_action_id IN ({{actions}})",
    f"""DELETE FROM review_verdicts WHERE {_MINE} review_id IN (
      SELECT id FROM reviews WHERE {_MINE} action_id IN ({{actions}}))""",
    f"""DELETE FROM commit_criteria WHERE {_MINE} criterion_id IN (
      SELECT id FROM criteria WHERE {_MINE} action_id IN ({{actions}}))""",
    f"""DELETE FROM unmet_criteria WHERE {_MINE} submission_id IN (
      SELECT id FROM submissions WHERE {_MINE} action_id IN ({{actions}}))""",
    f"""DELETE FROM attachments WHERE {_MINE} criterion_id IN (
      SELECT id FROM criteria WHERE {_MINE} action_id IN ({{actions}}))""",
    *(
        f"DELETE FROM {table} WHERE {_MINE} action_id IN ({{actions}})"
        for table in (
            "changes",
            "viewed_files",
            "deviations",
            "action_overlaps",
            "github_fetches",
            "reviews",
            "submissions",
            "evidence",
            "test_results",
            "commit_actions",
            "clarifications",
            "claims",
            "build_actions",
            "criteria",
            "comments",
        )
    ),
    f"DELETE FROM edges WHERE {_MINE} from_action_id IN ({{actions}})",
    f"DELETE FROM edges WHERE {_MINE} to_action_id IN ({{actions}})",
    # What only points at an action stays, and points at nothing.
    f"UPDATE documents SET linked_action_id = NULL WHERE {_MINE} linked_action_id IN ({{actions}})",
    f"UPDATE agent_runs SET action_id = NULL WHERE {_MINE} action_id IN ({{actions}})",
    f"UPDATE inbox_items SET action_id = NULL WHERE {_MINE} action_id IN ({{actions}})",
    f"UPDATE proposals SET action_id = NULL WHERE {_MINE} action_id IN ({{actions}})",
    f"DELETE FROM draft_requests WHERE {_MINE} action_id IN ({{actions}})",
    f"UPDATE shares SET revoked_at = coalesce(revoked_at, :now) WHERE {_MINE} action_id IN ({{actions}})",
    f"DELETE FROM search_texts WHERE {_MINE} object_id IN ({{actions}})",
    f"DELETE FROM revisions WHERE {_MINE} object_id IN ({{actions}})",
    f"DELETE FROM actions WHERE {_MINE} id IN ({{actions}})",
]

_PLANS = f"SELECT id FROM plans WHERE {_MINE} spec_id IN ({{specs}})"
_SPECS = f"SELECT id FROM specs WHERE {_MINE} {{by}} = :id"
_SPECS_BY = [
    f"DELETE FROM watch_news WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM watches WHERE {_MINE} object_id IN ({{specs}})",
    f"DELETE FROM proposals WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM draft_requests WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM builds WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM revisions WHERE {_MINE} object_id IN ({_PLANS})",
    f"DELETE FROM plans WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM participants WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM attachments WHERE {_MINE} spec_id IN ({{specs}})",
    f"""DELETE FROM mentions WHERE {_MINE} comment_id IN (
      SELECT id FROM comments WHERE {_MINE} spec_id IN ({{specs}}))""",
    f"DELETE FROM comments WHERE {_MINE} spec_id IN ({{specs}})",
    f"DELETE FROM search_texts WHERE {_MINE} object_id IN ({{specs}})",
    f"DELETE FROM revisions WHERE {_MINE} object_id IN ({{specs}})",
    f"DELETE FROM specs WHERE {_MINE} id IN ({{specs}})",
]

# What the actions, or specs, to delete are chosen by -> the statements. Of "ids" they are named.
_NAMED = {"ids": "EACH :ids"}
ACTIONS = {
    by: [statement.format(actions=chosen) for statement in _ACTIONS_BY]
    for by, chosen in {
        **{by: _ACTIONS.format(by=by) for by in ("id", "plan_id", "spec_id", "project_id")},
        **_NAMED,
    }.items()
}
SPECS = {
    by: [statement.format(specs=chosen) for statement in _SPECS_BY]
    for by, chosen in {**{by: _SPECS.format(by=by) for by in ("id", "project_id")}, **_NAMED}.items()
}

_TEXTS = ("documents", "notes", "goals")
OF_PROJECT = [
    f"""DELETE FROM mentions WHERE {_MINE} comment_id IN (
      SELECT id FROM comments WHERE {_MINE} project_id = :id)""",
    f"""DELETE FROM message_deliveries WHERE {_MINE} message_id IN (
      SELECT id FROM messages WHERE {_MINE} project_id = :id)""",
    f"DELETE FROM messages WHERE {_MINE} project_id = :id",
    *(
        f"DELETE FROM revisions WHERE {_MINE} object_id IN (SELECT id FROM {table} WHERE {_MINE} project_id = :id)"
        for table in _TEXTS
    ),
    f"""DELETE FROM commit_paths WHERE {_MINE} commit_id IN (
      SELECT id FROM commits WHERE {_MINE} project_id = :id)""",
    *(
        f"DELETE FROM {table} WHERE {_MINE} project_id = :id"
        for table in (
            "comments",
            "watch_news",
            "watches",
            "attachments",
            "documents",
            "notes",
            "agent_runs",
            "inbox_items",
            "proposals",
            "publications",
            "shares",
            "github_tokens",
            "github_deliveries",
            "github_webhooks",
            "pull_requests",
            "checks",
            "commits",
            "imported_events",
            "goals",
            "saved_views",
            "search_texts",
            "action_tallies",
            "text_ref_counters",
        )
    ),
    f"DELETE FROM revisions WHERE {_MINE} object_id = :id",
    f"DELETE FROM projects WHERE {_MINE} id = :id",
]

OF_DOCUMENT = [
    f"UPDATE documents SET parent_id = :parent_id WHERE {_MINE} parent_id = :id",
    f"""DELETE FROM mentions WHERE {_MINE} comment_id IN (
      SELECT id FROM comments WHERE {_MINE} document_id = :id)""",
    f"DELETE FROM comments WHERE {_MINE} document_id = :id",
    f"DELETE FROM attachments WHERE {_MINE} document_id = :id",
]

# A row on which nothing hangs any more, with its old texts.
ROW = {
    table: [
        f"DELETE FROM {table} WHERE {_MINE} id = :id",
        f"DELETE FROM revisions WHERE {_MINE} object_id = :id",
        f"DELETE FROM search_texts WHERE {_MINE} object_id = :id",
    ]
    for table in ("plans", "goals", "documents", "notes")
}

ROW["notes"].insert(0, f"UPDATE draft_requests SET note_id = NULL WHERE {_MINE} note_id = :id")

# Stronger than the lock of those who work in a project: who adds to it without a lock is waited for, and waits.
CLOSE_PROJECT = f"SELECT 1 FROM projects WHERE {_MINE} id = :id FOR UPDATE"

LIVE_CLAIMS_OF_PROJECT = """
SELECT count(*) FROM claims c CROSS JOIN actions a
WHERE c.workspace_id = :workspace AND c.state = 'active' AND c.expires_at > :now
  AND a.workspace_id = :workspace AND a.id = c.action_id AND a.project_id = :id
"""

BUILDS_OF_ACTION = f"SELECT count(*) FROM build_actions WHERE {_MINE} action_id = :id"

BUILDS_OF_PLAN = f"SELECT count(*) FROM builds WHERE {_MINE} plan_id = :id"

SPECS_OF_GOAL = f"SELECT count(*) FROM specs WHERE {_MINE} goal_id = :id"

_USED = """(a.fence > 0 OR EXISTS (
  SELECT 1 FROM build_actions b WHERE b.workspace_id = a.workspace_id AND b.action_id = a.id))"""

USED_OF_PLAN = f"SELECT count(*) FROM actions a WHERE a.workspace_id = :workspace AND a.plan_id = :id AND {_USED}"

USED_OF_SPEC = f"SELECT count(*) FROM actions a WHERE a.workspace_id = :workspace AND a.spec_id = :id AND {_USED}"


def delete_action(tx: Tx, action_id: str) -> None:
    tallies.take_back(tx, "id", action_id)
    _delete_actions_where(tx, "id", action_id)


def delete_plan(tx: Tx, plan_id: str) -> None:
    tallies.take_back(tx, "plan_id", plan_id)
    _delete_actions_where(tx, "plan_id", plan_id)
    delete_row_and_revisions(tx, "plans", plan_id)


def delete_spec(tx: Tx, spec_id: str) -> None:
    tallies.take_back(tx, "spec_id", spec_id)
    _delete_actions_where(tx, "spec_id", spec_id)
    _delete_specs_where(tx, "id", spec_id)


def delete_project(tx: Tx, project_id: str) -> None:
    tx.lock(CLOSE_PROJECT, id=project_id)
    _delete_actions_where(tx, "project_id", project_id)
    _delete_specs_where(tx, "project_id", project_id)
    for statement in OF_PROJECT:
        tx.run(statement, id=project_id)


def delete_document(tx: Tx, document_id: str, new_parent_id_for_children: str | None) -> None:
    """What stood below it moves up."""
    for statement in OF_DOCUMENT:
        tx.run(statement, id=document_id, parent_id=new_parent_id_for_children)
    delete_row_and_revisions(tx, "documents", document_id)


def delete_row_and_revisions(tx: Tx, table: str, row_id: str) -> None:
    for statement in ROW[table]:
        tx.run(statement, id=row_id)


def run_count_query(tx: Tx, sql: str, object_id: str) -> int:
    row = tx.one(sql, id=object_id, now=tx.now)
    assert row is not None
    rows: int = row[0]
    return rows


def _delete_actions_where(tx: Tx, column: str, value: str) -> None:
    for statement in ACTIONS[column]:
        tx.run(statement, id=value, now=tx.now)


def _delete_specs_where(tx: Tx, column: str, value: str) -> None:
    for statement in SPECS[column]:
        tx.run(statement, id=value)
