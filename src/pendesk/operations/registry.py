"""Everything that can be done, by name, in three lists by kind (operation.py).

OPERATIONS: what an actor calls. Tools, routes, commands and the reference are made from it.
SECRET_OPERATIONS: what begins with a secret. SERVER_OPERATIONS: the server's own work.
"""

from pendesk.operations.access import (
    accept_invite_as_known_user,
    accept_invite_as_new_user,
    authenticate_token,
    change_role,
    check_credentials,
    create_first_workspace,
    create_sign_in_link,
    create_token,
    create_user,
    end_session,
    find_invite,
    find_local_actor,
    find_name_of_first_to_sign_in,
    find_session,
    get_usage,
    get_workspace,
    has_anybody_signed_in,
    invite_member,
    list_invites,
    list_members,
    list_sessions,
    list_tokens,
    preview_removal,
    remove_member,
    rename_agent,
    rename_user,
    rename_workspace,
    revoke_agent_tokens,
    revoke_invite,
    revoke_session,
    revoke_token,
    rotate_secret,
    set_participation,
    set_password,
    start_oidc_session,
    start_password_session,
    start_session,
)
from pendesk.operations.actions import (
    convert_action,
    convert_criterion,
    create_action,
    create_criterion,
    create_edge,
    create_task,
    delete_action,
    get_action,
    get_next_task,
    get_task,
    list_actions,
    list_assignees,
    list_tasks,
    move_action,
    order_criteria,
    release_dependents,
    remove_criterion,
    remove_edge,
    restore_criterion,
    suggest_actions,
    update_action,
    update_criterion,
    update_task,
)
from pendesk.operations.attachments import (
    attach_evidence,
    check_file_room,
    find_signed_attachment,
    put_attachment,
    remove_attachment,
    sweep_files,
)
from pendesk.operations.building import (
    answer_clarification,
    claim_action,
    get_action_brief,
    get_attachment_url,
    get_context,
    get_spec,
    list_available_specs,
    release_action,
    report_commit,
    report_test_result,
    request_clarification,
    resubmit_for_review,
    submit_for_review,
    update_progress,
    upload_test_report,
)
from pendesk.operations.changes import get_change, get_change_file, push_change, set_file_viewed
from pendesk.operations.comments import (
    add_comment,
    delete_comment,
    list_comments,
    mark_mention_read,
    resolve_comment,
    update_comment,
)
from pendesk.operations.documents import (
    create_document,
    create_note,
    delete_document,
    delete_note,
    get_document,
    get_note,
    list_documents,
    list_notes,
    move_document,
    update_document,
    update_note,
)
from pendesk.operations.exchange import delete_unfinished_imports, export_project, import_project, load_sample
from pendesk.operations.github import (
    authenticate_delivery,
    fetch_change,
    finish_fetch,
    get_github_webhook,
    list_due_fetches,
    record_check,
    record_delivery,
    record_pull_request,
    record_push,
    remove_github_token,
    remove_github_webhook,
    set_github_token,
    set_github_webhook,
    start_fetch,
)
from pendesk.operations.housekeeping import (
    check_writable,
    count_live_claims,
    count_text,
    delete_old_idempotency_keys,
    delete_old_invites,
    delete_old_oauth_state,
    delete_old_rate_windows,
    delete_old_session_marks,
    delete_old_sign_ins,
    delete_old_text_use,
    delete_old_tool_uses,
    find_tool_use,
    fold_tallies,
    get_time,
    record_tool_use,
    take_request_block,
)
from pendesk.operations.messages import cancel_message, list_messages, send_message
from pendesk.operations.oauth import (
    answer_consent,
    find_client,
    find_device,
    list_grants,
    open_consent,
    poll_device,
    redeem_code,
    refresh_grant,
    register_client,
    revoke_by_token,
    revoke_grant,
    save_client_document,
    start_device,
)
from pendesk.operations.operation import AnyOperation, AnySecretOperation, AnyServerOperation
from pendesk.operations.overview import (
    get_board,
    get_board_changes,
    get_flow,
    get_integrations,
    get_overview,
    list_agents,
    list_cards,
    list_project_cards,
    preview_brief,
)
from pendesk.operations.plans import activate_plan, create_plan, delete_plan, order_actions, update_plan
from pendesk.operations.projects import (
    create_goal,
    create_project,
    delete_goal,
    delete_project,
    get_canvas,
    get_first_steps,
    get_project,
    list_projects,
    propose_key,
    put_canvas,
    scaffold_project_from_plan,
    search,
    set_project_activity,
    update_goal,
    update_project,
)
from pendesk.operations.proposals import (
    decide_proposal,
    draft_plan,
    draft_spec,
    get_draft,
    get_proposal,
    list_proposals,
    request_draft,
)
from pendesk.operations.review import (
    accept_deviations,
    answer_question,
    get_clarification,
    get_inbox,
    get_review,
    release_claim,
    review_action,
)
from pendesk.operations.revisions import compare_revisions, list_revisions, restore_revision
from pendesk.operations.runs import complete_agent_run, list_agent_runs, record_agent_progress, start_agent_run
from pendesk.operations.saved_views import (
    create_saved_view,
    delete_saved_view,
    get_saved_view,
    list_saved_views,
    update_saved_view,
)
from pendesk.operations.sessions import (
    answer_session_event,
    delete_old_steps,
    get_session_activity,
    pause_session,
    resume_session,
    save_steps,
    session_event,
    stop_session,
)
from pendesk.operations.sharing import (
    acknowledge_items,
    admit_guest,
    create_share,
    get_share,
    leave_item,
    list_picture_items,
    list_pictures,
    list_shares,
    list_submissions,
    publish_project,
    put_picture,
    reencrypt_tokens,
    remove_picture,
    revoke_share,
    sync_pull,
    sync_push,
    triage_submission,
)
from pendesk.operations.specs import (
    add_participant,
    compare_builds,
    create_spec,
    delete_spec,
    get_spec_draft,
    list_builds,
    list_specs,
    preview_build,
    publish_build,
    remove_participant,
    update_spec,
)
from pendesk.operations.timeline import (
    follow_events,
    get_insights,
    get_replay,
    get_timeline,
    list_events,
    list_imported_events,
    seal_log,
    verify_log,
)
from pendesk.operations.watching import list_watchers, mark_watched_read, set_watch
from pendesk.operations.webhooks import (
    create_webhook,
    finish_delivery,
    list_due_webhooks,
    list_webhook_deliveries,
    list_webhooks,
    redeliver_webhook,
    release_all_webhooks,
    release_webhook,
    remove_webhook,
    start_delivery,
    test_webhook,
    update_webhook,
)

BUILDING: list[AnyOperation] = [
    list_available_specs.OPERATION,
    get_spec.OPERATION,
    claim_action.OPERATION,
    get_action_brief.OPERATION,
    get_attachment_url.OPERATION,
    release_action.OPERATION,
    update_progress.OPERATION,
    request_clarification.OPERATION,
    answer_clarification.OPERATION,
    report_test_result.OPERATION,
    report_commit.OPERATION,
    submit_for_review.OPERATION,
    resubmit_for_review.OPERATION,
]

# What planning agents see over MCP. Those that people alone need stand in PLANNING.
DESK: list[AnyOperation] = [
    list_projects.OPERATION,
    get_project.OPERATION,
    create_project.OPERATION,
    create_task.OPERATION,
    update_task.OPERATION,
    get_next_task.OPERATION,
    create_edge.OPERATION,
    create_document.OPERATION,
    update_document.OPERATION,
    get_document.OPERATION,
    list_documents.OPERATION,
    create_note.OPERATION,
    update_note.OPERATION,
    get_note.OPERATION,
    list_notes.OPERATION,
    list_comments.OPERATION,
    add_comment.OPERATION,
    resolve_comment.OPERATION,
    start_agent_run.OPERATION,
    record_agent_progress.OPERATION,
    complete_agent_run.OPERATION,
    scaffold_project_from_plan.OPERATION,
    publish_project.OPERATION,
    sync_push.OPERATION,
    sync_pull.OPERATION,
    list_submissions.OPERATION,
    triage_submission.OPERATION,
    list_tasks.OPERATION,
    get_task.OPERATION,
    search.OPERATION,
    remove_edge.OPERATION,
]

# What drafting agents see over MCP: they propose, and people accept.
DRAFTING: list[AnyOperation] = [
    draft_spec.OPERATION,
    draft_plan.OPERATION,
    get_draft.OPERATION,
]

# The person's side of drafting.
PROPOSALS: list[AnyOperation] = [
    get_proposal.OPERATION,
    list_proposals.OPERATION,
    decide_proposal.OPERATION,
    request_draft.OPERATION,
]

# People alone.
DELETING: list[AnyOperation] = [
    delete_project.OPERATION,
    delete_goal.OPERATION,
    delete_spec.OPERATION,
    delete_plan.OPERATION,
    delete_action.OPERATION,
    convert_action.OPERATION,
    delete_document.OPERATION,
    delete_note.OPERATION,
    delete_comment.OPERATION,
]

PLANNING: list[AnyOperation] = [
    get_canvas.OPERATION,
    put_canvas.OPERATION,
    update_project.OPERATION,
    create_goal.OPERATION,
    update_goal.OPERATION,
    list_specs.OPERATION,
    get_spec_draft.OPERATION,
    create_spec.OPERATION,
    update_spec.OPERATION,
    add_participant.OPERATION,
    remove_participant.OPERATION,
    create_plan.OPERATION,
    update_plan.OPERATION,
    activate_plan.OPERATION,
    list_actions.OPERATION,
    list_assignees.OPERATION,
    suggest_actions.OPERATION,
    get_action.OPERATION,
    create_action.OPERATION,
    update_action.OPERATION,
    create_criterion.OPERATION,
    update_criterion.OPERATION,
    remove_criterion.OPERATION,
    restore_criterion.OPERATION,
    convert_criterion.OPERATION,
    move_action.OPERATION,
    move_document.OPERATION,
    order_actions.OPERATION,
    order_criteria.OPERATION,
    preview_build.OPERATION,
    publish_build.OPERATION,
    list_builds.OPERATION,
    compare_builds.OPERATION,
    list_agent_runs.OPERATION,
    list_revisions.OPERATION,
    compare_revisions.OPERATION,
    restore_revision.OPERATION,
    get_first_steps.OPERATION,
    propose_key.OPERATION,
    update_comment.OPERATION,
    mark_mention_read.OPERATION,
]

REVIEW: list[AnyOperation] = [
    get_inbox.OPERATION,
    get_review.OPERATION,
    get_change.OPERATION,
    get_change_file.OPERATION,
    push_change.OPERATION,
    set_file_viewed.OPERATION,
    get_clarification.OPERATION,
    answer_question.OPERATION,
    review_action.OPERATION,
    accept_deviations.OPERATION,
    release_claim.OPERATION,
    release_dependents.OPERATION,
]

WATCHING: list[AnyOperation] = [
    list_watchers.OPERATION,
    set_watch.OPERATION,
    mark_watched_read.OPERATION,
]

MESSAGES: list[AnyOperation] = [
    send_message.OPERATION,
    cancel_message.OPERATION,
    list_messages.OPERATION,
]

OVERVIEW: list[AnyOperation] = [
    get_overview.OPERATION,
    get_board.OPERATION,
    get_board_changes.OPERATION,
    get_flow.OPERATION,
    list_cards.OPERATION,
    list_agents.OPERATION,
    list_project_cards.OPERATION,
    preview_brief.OPERATION,
    list_saved_views.OPERATION,
    get_saved_view.OPERATION,
    create_saved_view.OPERATION,
    update_saved_view.OPERATION,
    delete_saved_view.OPERATION,
]

TIMELINE: list[AnyOperation] = [
    follow_events.OPERATION,
    list_events.OPERATION,
    list_imported_events.OPERATION,
    get_insights.OPERATION,
    get_timeline.OPERATION,
    get_replay.OPERATION,
]

ACCESS: list[AnyOperation] = [
    create_token.OPERATION,
    list_tokens.OPERATION,
    revoke_token.OPERATION,
    list_grants.OPERATION,
    revoke_grant.OPERATION,
    create_user.OPERATION,
    list_members.OPERATION,
    change_role.OPERATION,
    preview_removal.OPERATION,
    remove_member.OPERATION,
    create_sign_in_link.OPERATION,
    set_password.OPERATION,
    rename_user.OPERATION,
    rename_agent.OPERATION,
    revoke_agent_tokens.OPERATION,
    get_workspace.OPERATION,
    get_usage.OPERATION,
    rename_workspace.OPERATION,
    set_participation.OPERATION,
    list_sessions.OPERATION,
    revoke_session.OPERATION,
    invite_member.OPERATION,
    list_invites.OPERATION,
    revoke_invite.OPERATION,
]

ATTACHMENTS: list[AnyOperation] = [
    put_attachment.OPERATION,
    attach_evidence.OPERATION,
    remove_attachment.OPERATION,
]

SHARING: list[AnyOperation] = [
    create_share.OPERATION,
    list_shares.OPERATION,
    revoke_share.OPERATION,
    get_share.OPERATION,
    leave_item.OPERATION,
    put_picture.OPERATION,
    list_pictures.OPERATION,
    remove_picture.OPERATION,
    list_picture_items.OPERATION,
    acknowledge_items.OPERATION,
]

# What people do to agent sessions at work, and what hooks of agents' clients call: see transports/mcp/hooks.py.
SESSIONS: list[AnyOperation] = [
    session_event.OPERATION,
    answer_session_event.OPERATION,
    get_session_activity.OPERATION,
    set_project_activity.OPERATION,
    pause_session.OPERATION,
    resume_session.OPERATION,
    stop_session.OPERATION,
]

# For the command line and what else stands around agents.
CONTEXT: list[AnyOperation] = [
    get_context.OPERATION,
]

# A test report is a file: it comes over REST, and agents have report_test_result beside it.
TEST_REPORTS: list[AnyOperation] = [
    upload_test_report.OPERATION,
]

# Files: see transports/exchange.py and `pendesk export`.
EXCHANGE: list[AnyOperation] = [
    export_project.OPERATION,
    import_project.OPERATION,
    load_sample.OPERATION,
]

GITHUB: list[AnyOperation] = [
    set_github_webhook.OPERATION,
    get_github_webhook.OPERATION,
    remove_github_webhook.OPERATION,
    set_github_token.OPERATION,
    remove_github_token.OPERATION,
    fetch_change.OPERATION,
    record_delivery.OPERATION,
    record_push.OPERATION,
    record_pull_request.OPERATION,
    record_check.OPERATION,
]

WEBHOOKS: list[AnyOperation] = [
    create_webhook.OPERATION,
    get_integrations.OPERATION,
    list_webhooks.OPERATION,
    update_webhook.OPERATION,
    remove_webhook.OPERATION,
    test_webhook.OPERATION,
    list_webhook_deliveries.OPERATION,
    redeliver_webhook.OPERATION,
]

# What agents see over MCP, in this order.
TOOLS: list[AnyOperation] = [*BUILDING, *DESK, *DRAFTING]

OPERATIONS: list[AnyOperation] = [
    *ACCESS,
    *ATTACHMENTS,
    *BUILDING,
    *CONTEXT,
    *DELETING,
    *DESK,
    *DRAFTING,
    *EXCHANGE,
    *GITHUB,
    *MESSAGES,
    *WATCHING,
    *OVERVIEW,
    *PLANNING,
    *PROPOSALS,
    *REVIEW,
    *SESSIONS,
    *SHARING,
    *TEST_REPORTS,
    *TIMELINE,
    *WEBHOOKS,
]

SECRET_OPERATIONS: list[AnySecretOperation] = [
    accept_invite_as_known_user.OPERATION,
    accept_invite_as_new_user.OPERATION,
    authenticate_token.OPERATION,
    end_session.OPERATION,
    find_invite.OPERATION,
    find_name_of_first_to_sign_in.OPERATION,
    find_session.OPERATION,
    start_oidc_session.OPERATION,
    start_password_session.OPERATION,
    start_session.OPERATION,
    answer_consent.OPERATION,
    find_client.OPERATION,
    find_device.OPERATION,
    open_consent.OPERATION,
    poll_device.OPERATION,
    redeem_code.OPERATION,
    refresh_grant.OPERATION,
    register_client.OPERATION,
    revoke_by_token.OPERATION,
    save_client_document.OPERATION,
    start_device.OPERATION,
    authenticate_delivery.OPERATION,
    admit_guest.OPERATION,
    find_signed_attachment.OPERATION,
]

SERVER_OPERATIONS: list[AnyServerOperation] = [
    check_credentials.OPERATION,
    create_first_workspace.OPERATION,
    find_local_actor.OPERATION,
    has_anybody_signed_in.OPERATION,
    rotate_secret.OPERATION,
    reencrypt_tokens.OPERATION,
    finish_delivery.OPERATION,
    list_due_webhooks.OPERATION,
    release_all_webhooks.OPERATION,
    release_webhook.OPERATION,
    start_delivery.OPERATION,
    list_due_fetches.OPERATION,
    start_fetch.OPERATION,
    finish_fetch.OPERATION,
    check_writable.OPERATION,
    count_live_claims.OPERATION,
    count_text.OPERATION,
    take_request_block.OPERATION,
    delete_old_idempotency_keys.OPERATION,
    delete_old_invites.OPERATION,
    delete_old_session_marks.OPERATION,
    delete_old_oauth_state.OPERATION,
    delete_old_rate_windows.OPERATION,
    delete_old_sign_ins.OPERATION,
    delete_old_steps.OPERATION,
    delete_old_text_use.OPERATION,
    delete_old_tool_uses.OPERATION,
    find_tool_use.OPERATION,
    fold_tallies.OPERATION,
    record_tool_use.OPERATION,
    get_time.OPERATION,
    save_steps.OPERATION,
    seal_log.OPERATION,
    verify_log.OPERATION,
    sweep_files.OPERATION,
    delete_unfinished_imports.OPERATION,
    check_file_room.OPERATION,
]
