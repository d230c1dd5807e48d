"""OPERATIONS: everything that can be done, by name. Tools, routes, commands and the reference are made from it."""

from pendesk.operations.access import (
    create_sign_in_link,
    create_token,
    list_tokens,
    revoke_token,
)
from pendesk.operations.building import (
    answer_clarification,
    claim_action,
    get_action_brief,
    get_attachment_url,
    get_spec,
    list_available_specs,
    release_action,
    report_commit,
    report_test_result,
    request_clarification,
    resubmit_for_review,
    submit_for_review,
    update_progress,
)
from pendesk.operations.operation import AnyOperation
from pendesk.operations.planning import (
    activate_plan,
    add_participant,
    create_action,
    create_edge,
    create_plan,
    create_project,
    create_spec,
    publish_build,
)
from pendesk.operations.review import answer_question, get_clarification, release_claim, review_action
from pendesk.operations.timeline import list_events

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

PLANNING: list[AnyOperation] = [
    create_project.OPERATION,
    create_spec.OPERATION,
    add_participant.OPERATION,
    create_plan.OPERATION,
    activate_plan.OPERATION,
    create_action.OPERATION,
    create_edge.OPERATION,
    publish_build.OPERATION,
]

REVIEW: list[AnyOperation] = [
    get_clarification.OPERATION,
    answer_question.OPERATION,
    review_action.OPERATION,
    release_claim.OPERATION,
]

TIMELINE: list[AnyOperation] = [
    list_events.OPERATION,
]

ACCESS: list[AnyOperation] = [
    create_token.OPERATION,
    list_tokens.OPERATION,
    revoke_token.OPERATION,
    create_sign_in_link.OPERATION,
]

OPERATIONS: list[AnyOperation] = [*ACCESS, *BUILDING, *PLANNING, *REVIEW, *TIMELINE]
