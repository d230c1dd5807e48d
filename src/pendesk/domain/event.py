"""The one log: what an event is, and every kind there is."""

from typing import Any, Literal, NamedTuple

# noun.verb, in the past tense; a new kind is added here first.
EventKind = Literal[
    "workspace.created",
    "workspace.renamed",
    "secret.rotated",
    "user.created",
    "user.password_set",
    "user.linked",
    "member.added",
    "member.renamed",
    "member.role_changed",
    "member.handed_over",
    "member.removed",
    "token.created",
    "token.handed_over",
    "token.revoked",
    "grant.created",
    "grant.revoked",
    "sign_in_link.created",
    "session.started",
    "session.ended",
    "invite.created",
    "invite.revoked",
    "project.created",
    "project.edited",
    "project.imported",
    "project.deleted",
    "goal.created",
    "goal.edited",
    "goal.deleted",
    "spec.created",
    "spec.edited",
    "spec.deleted",
    "participant.added",
    "participant.removed",
    "plan.created",
    "plan.edited",
    "plan.deleted",
    "plan.activated",
    "plan.ordered",
    "action.created",
    "action.edited",
    "action.moved",
    "action.reopened",
    "action.deleted",
    "criterion.created",
    "criterion.edited",
    "criterion.removed",
    "criterion.advanced",
    "edge.created",
    "edge.removed",
    "canvas.arranged",
    "build.published",
    "action.claimed",
    "action.resumed",
    "action.released",
    "action.progressed",
    "action.dropped",
    "action.submitted",
    "action.resubmitted",
    "action.reviewed",
    "report.late",
    "clarification.asked",
    "clarification.answered",
    "commit.reported",
    "test.reported",
    "test_report.uploaded",
    "commit.pushed",
    "branch.force_pushed",
    "pull_request.changed",
    "checks.changed",
    "evidence.added",
    "evidence.staled",
    "webhook.set",
    "webhook.handed_over",
    "webhook.removed",
    "outgoing_webhook.created",
    "outgoing_webhook.edited",
    "outgoing_webhook.handed_over",
    "outgoing_webhook.removed",
    "outgoing_webhook.failing",
    "document.created",
    "document.edited",
    "document.moved",
    "document.deleted",
    "note.created",
    "note.edited",
    "note.deleted",
    "comment.added",
    "comment.resolved",
    "comment.deleted",
    "run.started",
    "run.progressed",
    "run.ended",
    "share.created",
    "share.handed_over",
    "share.revoked",
    "project.published",
    "project.pushed",
    "submission.received",
    "submission.triaged",
    "picture.received",
    "picture.handed_over",
    "picture.removed",
    "attachment.added",
    "attachment.removed",
]


class Event(NamedTuple):
    """A change about to be recorded. Who, when and its number are added by the dispatcher and the store."""

    kind: EventKind
    object_id: str
    project_id: str | None = None
    spec_id: str | None = None
    action_id: str | None = None
    data: dict[str, Any] = {}


class LoggedEvent(NamedTuple):
    """An event as the log holds it; `data` is JSON text."""

    seq: int
    at: int
    kind: str
    actor_id: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_id: str | None
    spec_id: str | None
    action_id: str | None
    data: str
