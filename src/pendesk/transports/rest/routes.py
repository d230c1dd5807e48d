"""Every route of /api/v1 in one table. What stands in braces in a path is a field of the operation's input."""

from typing import Literal, NamedTuple

BASE = "/api/v1"

Body = Literal["json", "text", "file"]


class RestRoute(NamedTuple):
    """`location` is the address of what was made, out of the answer's fields; only a 201 has one.

    `body`: json fields; or the text of a test report, or the bytes of a file, with the fields in the query.
    """

    method: str
    path: str
    operation: str
    status: int
    location: str = ""
    body: Body = "json"


R = RestRoute

# An address without braces comes before one with braces that would take it in.
TABLE = [
    R("GET", "/projects", "list_projects", 200),
    R("POST", "/projects", "create_project", 201, "/projects/{pid}"),
    R("POST", "/projects/scaffold", "scaffold_project_from_plan", 201, "/projects/{pid}"),
    R("POST", "/projects/sample", "load_sample", 200),
    R("GET", "/overview", "get_overview", 200),
    R("GET", "/projects/{project_id}", "get_project", 200),
    R("GET", "/projects/{project_id}/board", "get_board", 200),
    R("GET", "/projects/{project_id}/flow", "get_flow", 200),
    R("GET", "/projects/{project_id}/cards", "list_cards", 200),
    R("GET", "/agents", "list_agents", 200),
    R("PATCH", "/projects/{project_id}", "update_project", 200),
    R("DELETE", "/projects/{project_id}", "delete_project", 204),
    R("GET", "/projects/{project_id}/canvas", "get_canvas", 200),
    R("PUT", "/projects/{project_id}/canvas", "put_canvas", 200),
    R("GET", "/projects/{project_id}/next-task", "get_next_task", 200),
    R("POST", "/projects/{project_id}/tasks", "create_task", 201, "/tasks/{pid}"),
    R("PATCH", "/tasks/{task_id}", "update_task", 200),
    R("POST", "/projects/{project_id}/edges", "create_edge", 201, "/edges/{pid}"),
    R("DELETE", "/edges/{edge_id}", "remove_edge", 204),
    R("GET", "/projects/{project_id}/documents", "list_documents", 200),
    R("POST", "/projects/{project_id}/documents", "create_document", 201, "/documents/{pid}"),
    R("GET", "/documents/{document_id}", "get_document", 200),
    R("PATCH", "/documents/{document_id}", "update_document", 200),
    R("DELETE", "/documents/{document_id}", "delete_document", 204),
    R("POST", "/documents/{document_id}/comments", "add_comment", 201, "/comments/{pid}"),
    R("GET", "/projects/{project_id}/comments", "list_comments", 200),
    R("POST", "/comments/{comment_id}/resolve", "resolve_comment", 200),
    R("DELETE", "/comments/{comment_id}", "delete_comment", 204),
    R("GET", "/projects/{project_id}/notes", "list_notes", 200),
    R("POST", "/projects/{project_id}/notes", "create_note", 201, "/notes/{pid}"),
    R("GET", "/notes/{note_id}", "get_note", 200),
    R("PATCH", "/notes/{note_id}", "update_note", 200),
    R("DELETE", "/notes/{note_id}", "delete_note", 204),
    R("GET", "/projects/{project_id}/agent-runs", "list_agent_runs", 200),
    R("POST", "/projects/{project_id}/agent-runs", "start_agent_run", 201, "/agent-runs/{pid}"),
    R("POST", "/agent-runs/{run_id}/progress", "record_agent_progress", 200),
    R("POST", "/agent-runs/{run_id}/complete", "complete_agent_run", 200),
    R("GET", "/projects/{project_id}/submissions", "list_submissions", 200),
    R("POST", "/submissions/{submission_id}/triage", "triage_submission", 200),
    R("GET", "/projects/{project_id}/shares", "list_shares", 200),
    R("POST", "/projects/{project_id}/shares", "create_share", 201, "/shares/{share[shareId]}"),
    R("DELETE", "/shares/{share_id}", "revoke_share", 204),
    R("POST", "/projects/{project_id}/goals", "create_goal", 201, "/goals/{pid}"),
    R("PATCH", "/goals/{goal_id}", "update_goal", 200),
    R("DELETE", "/goals/{goal_id}", "delete_goal", 204),
    R("GET", "/projects/{project_id}/specs", "list_specs", 200),
    R("POST", "/projects/{project_id}/specs", "create_spec", 201, "/specs/{pid}"),
    R("GET", "/specs", "list_available_specs", 200),
    R("GET", "/specs/{spec_id}", "get_spec_draft", 200),
    R("PATCH", "/specs/{spec_id}", "update_spec", 200),
    R("DELETE", "/specs/{spec_id}", "delete_spec", 204),
    R("GET", "/specs/{spec_pid}/published", "get_spec", 200),
    R("PUT", "/specs/{spec_id}/participants/{user_id}", "add_participant", 200),
    R("DELETE", "/specs/{spec_id}/participants/{user_id}", "remove_participant", 204),
    R("POST", "/specs/{spec_id}/plans", "create_plan", 201, "/plans/{pid}"),
    R("PATCH", "/plans/{plan_id}", "update_plan", 200),
    R("DELETE", "/plans/{plan_id}", "delete_plan", 204),
    R("POST", "/plans/{plan_id}/activate", "activate_plan", 200),
    R("PUT", "/plans/{plan_id}/actions/order", "order_actions", 200),
    R("GET", "/specs/{spec_id}/preview", "preview_build", 200),
    R("GET", "/specs/{spec_id}/builds/compare", "compare_builds", 200),
    R("GET", "/specs/{spec_id}/builds", "list_builds", 200),
    R("POST", "/specs/{spec_id}/builds", "publish_build", 201, "/specs/{specId}/builds"),
    R("GET", "/projects/{project_id}/actions", "list_actions", 200),
    R("POST", "/projects/{project_id}/actions", "create_action", 201, "/actions/{pid}"),
    R("GET", "/actions/{action_id}", "get_action", 200),
    R("PATCH", "/actions/{action_id}", "update_action", 200),
    R("DELETE", "/actions/{action_id}", "delete_action", 204),
    R("POST", "/actions/{action_id}/move", "move_action", 200),
    R("PUT", "/actions/{action_id}/criteria/order", "order_criteria", 200),
    R("POST", "/actions/{action_id}/criteria", "create_criterion", 201, "/actions/{pid}"),
    R("PATCH", "/criteria/{criterion_id}", "update_criterion", 200),
    R("DELETE", "/criteria/{criterion_id}", "remove_criterion", 204),
    R("GET", "/actions/{action_id}/review", "get_review", 200),
    R("POST", "/actions/{action_pid}/claim", "claim_action", 200),
    R("GET", "/actions/{action_pid}/brief", "get_action_brief", 200),
    R("POST", "/actions/{action_pid}/release", "release_action", 200),
    R("POST", "/actions/{action_pid}/progress", "update_progress", 200),
    R("POST", "/actions/{action_pid}/clarifications", "request_clarification", 201, "/clarifications/{pid}"),
    R("POST", "/actions/{action_pid}/commits", "report_commit", 200),
    R("POST", "/actions/{action_pid}/test-results", "report_test_result", 200),
    R("POST", "/actions/{action_pid}/test-reports", "upload_test_report", 200, body="text"),
    R("POST", "/actions/{action_pid}/submit", "submit_for_review", 200),
    R("POST", "/actions/{action_pid}/resubmit", "resubmit_for_review", 200),
    R("POST", "/actions/{action_pid}/reviews", "review_action", 200),
    R("GET", "/inbox", "get_inbox", 200),
    R("GET", "/first-steps", "get_first_steps", 200),
    R("POST", "/actions/{action_pid}/release-claim", "release_claim", 200),
    R("GET", "/clarifications/{clarification_pid}", "get_clarification", 200),
    R("POST", "/clarifications/{clarification_pid}/answer", "answer_question", 200),
    R("POST", "/clarifications/{clarification_pid}/relay", "answer_clarification", 200),
    R("POST", "/attachments", "put_attachment", 201, "/attachments/{pid}", "file"),
    R("GET", "/attachments/{attachment_pid}/url", "get_attachment_url", 200),
    R("DELETE", "/attachments/{attachment_pid}", "remove_attachment", 204),
    R("GET", "/tokens", "list_tokens", 200),
    R("POST", "/tokens", "create_token", 201, "/tokens/{tokenId}"),
    R("DELETE", "/tokens/{token_id}", "revoke_token", 204),
    R("GET", "/grants", "list_grants", 200),
    R("DELETE", "/grants/{grant_id}", "revoke_grant", 204),
    R("GET", "/members", "list_members", 200),
    R("POST", "/members", "create_user", 201, "/members/{userId}"),
    R("PATCH", "/members/{user_pid}", "change_role", 200),
    R("DELETE", "/members/{user_pid}", "remove_member", 204),
    R("GET", "/invites", "list_invites", 200),
    R("POST", "/invites", "invite_member", 201, "/invites/{inviteId}"),
    R("DELETE", "/invites/{invite_id}", "revoke_invite", 204),
    R("GET", "/sessions", "list_sessions", 200),
    R("DELETE", "/sessions/{session_id}", "revoke_session", 204),
    R("POST", "/sign-in-links", "create_sign_in_link", 200),
    R("PUT", "/password", "set_password", 200),
    R("GET", "/projects/{project_id}/github-webhook", "get_github_webhook", 200),
    R("PUT", "/projects/{project_id}/github-webhook", "set_github_webhook", 200),
    R("DELETE", "/projects/{project_id}/github-webhook", "remove_github_webhook", 204),
    R("GET", "/webhooks", "list_webhooks", 200),
    R("POST", "/webhooks", "create_webhook", 201, "/webhooks/{webhook[webhookId]}"),
    R("PATCH", "/webhooks/{webhook_id}", "update_webhook", 200),
    R("DELETE", "/webhooks/{webhook_id}", "remove_webhook", 204),
    R("POST", "/webhooks/{webhook_id}/test", "test_webhook", 200),
    R("GET", "/webhooks/{webhook_id}/deliveries", "list_webhook_deliveries", 200),
    R("POST", "/webhooks/{webhook_id}/redeliver", "redeliver_webhook", 200),
    R("GET", "/context", "get_context", 200),
    R("GET", "/insights", "get_insights", 200),
    R("GET", "/revisions/{object_id}", "list_revisions", 200),
    R("POST", "/revisions/{object_id}/compare", "compare_revisions", 200),
    R("POST", "/revisions/{object_id}/restore", "restore_revision", 200),
    R("GET", "/search", "search", 200),
    R("GET", "/timeline", "get_timeline", 200),
    R("GET", "/projects/{project_id}/replay", "get_replay", 200),
    R("GET", "/log", "list_events", 200),
]

_GITHUB = "only GitHub may tell it, by a signed webhook"
_FILES = "it carries a file: see transports/exchange.py"
_GUESTS = "guests have pages of their own, under /share/"
# Operations that have no route, each with the reason.
NOT_ROUTED = {
    "follow_events": "it begins the stream of GET /events, in transports/live/",
    "export_project": _FILES,
    "import_project": _FILES,
    "get_share": _GUESTS,
    "leave_item": _GUESTS,
    "record_delivery": _GITHUB,
    "record_push": _GITHUB,
    "record_pull_request": _GITHUB,
    "record_check": _GITHUB,
}
