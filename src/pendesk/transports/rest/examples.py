"""Examples for the description: a body for every route that needs one, parameters, and responses of a real run."""

import json
from functools import cache
from pathlib import Path
from typing import Any

# `make answers` writes it; a test repeats the run and compares.
ANSWERS_FILE = Path(__file__).with_name("answers.json")

_UUID = "01a1ded5-7a10-7000-8000-0123456789ab"
_SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
_PR = "https://github.com/example/harbour/pull/12"

# In a path or a query, by the field's name.
PARAMETERS = {
    "project_id": "HRB",
    "task_id": "HRB-12",
    "action_id": "HRB-12",
    "action_pid": "HRB-12",
    "query": "tide table",
    "format": "junit",
    "position": 0,
    "name": "chart.png",
    "spec_pid": _UUID,
}

_PICTURE = {
    "name": "Harbour",
    "description": "What skippers need to know.",
    "status": "active",
    "counts": {"todo": 1},
    "goals": [],
    "specs": [{"title": "Tides", "text": "Skippers see the tides."}],
    "actions": [
        {
            "ref": "HRB-12",
            "label": "Show the tides",
            "area": "web",
            "status": "todo",
            "spec": "Tides",
            "criteriaDone": 0,
            "criteriaTotal": 2,
        }
    ],
    "edges": [],
    "documents": [],
    "leftOut": 0,
}

BODIES: dict[str, dict[str, Any]] = {
    "acknowledge_items": {"item_ids": [_UUID]},
    "add_comment": {"body": "Which chart datum is this?", "passage": "4.2 m"},
    "answer_clarification": {"answer": "Use UTC."},
    "answer_question": {"answer": "Use UTC.", "write_back": "conditions"},
    "change_role": {"role": "admin"},
    "claim_action": {"agent_model": "claude-opus-5"},
    "complete_agent_run": {"status": "completed", "tokens": 120_000, "cost": 1.2},
    "create_action": {"label": "Show the tides", "criteria": ["The page shows today's high water"]},
    "create_criterion": {"text": "The page shows today's high water"},
    "create_document": {"title": "Tide sources", "body": "# Sources\n\nThe harbour office."},
    "create_edge": {"from_task_id": "HRB-12", "to_task_id": "HRB-11", "label": "depends_on"},
    "create_goal": {"title": "Skippers plan their day here"},
    "create_note": {"title": "Call the harbour office", "body": "Ask for the API key."},
    "create_plan": {"title": "With the office's API", "approach": "Read it once an hour."},
    "create_project": {"name": "Harbour", "key": "HRB", "description": "What skippers need to know."},
    "create_spec": {"title": "Tides", "summary": "Skippers see the tides.", "results": ["Today's tides are shown"]},
    "create_task": {"label": "Ask for an API key", "status": "todo"},
    "create_token": {"name": "Nightly script", "scopes": ["desk.read"], "expires_in_days": 90},
    "create_user": {"name": "Ada", "email": "ada@example.com", "role": "member"},
    "create_webhook": {"url": "https://ci.example.com/pendesk", "kinds": ["action.submitted", "build"]},
    "decide_proposal": {
        "verdict": "accept",
        "items": [{"id": "summary", "accept": True, "text": "Skippers see the wind."}],
        "remark": "The title stays.",
    },
    "draft_plan": {
        "spec_id": _UUID,
        "approach": "Read the office's API once an hour.",
        "actions": [
            {"key": "fetch", "label": "Fetch the wind", "criteria": ["A failed request is tried again"]},
            {"key": "show", "label": "Show it", "criteria": ["It is in knots"], "prerequisites": ["fetch"]},
        ],
    },
    "draft_spec": {
        "project_id": "HRB",
        "title": "Wind",
        "summary": "Skippers see the wind.",
        "results": ["It is shown"],
    },
    "invite_member": {"email": "ada@example.com", "role": "member"},
    "move_action": {"plan_id": _UUID},
    "move_document": {"parent_id": _UUID},
    "order_actions": {"action_ids": ["HRB-12", "HRB-11"]},
    "order_criteria": {"criterion_ids": [_UUID]},
    "record_agent_progress": {"message": "The parser works; the page is next."},
    "redeliver_webhook": {"number": 12},
    "release_claim": {"reason": "The agent has stopped."},
    "request_draft": {"spec_id": _UUID},
    "rename_agent": {"name": "Claude Code at home"},
    "rename_user": {"name": "Ada Lindqvist"},
    "rename_workspace": {"name": "Harbour & Sons"},
    "report_commit": {"sha": _SHA, "message": "Show the tides", "criterion_ids": [_UUID]},
    "report_test_result": {"criterion_id": _UUID, "outcome": "passed", "evidence": "12 passed"},
    "request_clarification": {"question": "Which time zone?"},
    "restore_revision": {"revision": 3},
    "resubmit_for_review": {"pr_url": _PR, "summary": "Times are in UTC now."},
    "accept_deviations": {"deviation_ids": [_UUID], "into_spec": True},
    "review_action": {"verdict": "approved", "summary": "Good.", "verdicts": []},
    "create_saved_view": {"name": "My work this week", "query": "assignee=me&due=week", "shared": False},
    "update_saved_view": {"name": "Our work this week", "shared": True},
    "scaffold_project_from_plan": {
        "name": "Harbour",
        "tasks": [{"key": "key", "label": "Ask for an API key"}, {"key": "page", "label": "Show the tides"}],
        "edges": [{"from": "page", "to": "key", "label": "depends_on"}],
    },
    "send_message": {"action_pid": "HRB-12", "text": "Use the harbour office's new address."},
    "set_file_viewed": {"path": "src/tides.py", "digest": "0f1e2d3c4b5a69788796a5b4", "viewed": True},
    "set_password": {"password": "a long enough password"},
    "start_agent_run": {"label": "Nightly tidy", "model": "claude-opus-5"},
    "stop_session": {"reason": "The plan has changed."},
    "submit_for_review": {"pr_url": _PR, "summary": "Shows the tides."},
    "pause_session": {"reason": "The build is red: wait until it is mended."},
    "set_github_token": {"token": "github_pat_..."},
    "publish_project": {"server_url": "https://desk.example.com", "sync_token": "pendesk_mcp_..."},
    "put_picture": {"format": 1, "drawn_at": 1_800_000_000_000_000, "picture": _PICTURE, "create": True},
    "triage_submission": {"action": "accept", "as_task": {"label": "Show the wind too"}},
    "update_action": {"priority": 10},
    "update_criterion": {"text": "The page shows today's high and low water"},
    "update_document": {"status_line": "Reviewed"},
    "update_goal": {"title": "Skippers plan their week here"},
    "update_comment": {"body": "Which chart datum is this, LAT or MLLW?"},
    "update_note": {"body": "They answered.", "expected_revision": 1},
    "update_plan": {"approach": "Read it every ten minutes."},
    "update_progress": {"status": "started", "message": "The parser works."},
    "update_project": {"state": "paused"},
    "update_spec": {"conditions": ["Times are in UTC"]},
    "update_task": {"status": "done"},
    "update_webhook": {"state": "paused"},
}


@cache
def example_response_by_operation() -> dict[str, Any]:
    """Operation -> a response of its route."""
    by_operation: dict[str, Any] = json.loads(ANSWERS_FILE.read_text("utf-8"))
    return by_operation
