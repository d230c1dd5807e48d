"""Which cards of a board an event changes: on their own, with those that depend on them, or all of them."""

from collections.abc import Iterable
from typing import NamedTuple

from pendesk.domain.event import EventKind

# What a card says of its own action, and no other card says of it.
OWN: frozenset[EventKind] = frozenset(
    {
        "action.created",
        "action.progressed",
        "criterion.created",
        "criterion.edited",
        "criterion.removed",
        "criterion.restored",
        "criterion.advanced",
        "clarification.asked",
        "clarification.answered",
        "test.reported",
        "test_report.uploaded",
        "evidence.added",
        "evidence.staled",
        "pull_request.changed",
        "checks.changed",
        "deviations.recorded",
        "deviations.accepted",
        "report.late",
    }
)
# Others wait for the action, or work on its files, and say so.
SPREADING: frozenset[EventKind] = frozenset(
    {
        "action.edited",
        "action.moved",
        "action.reopened",
        "action.dropped",
        "action.dependents_released",
        "action.claimed",
        "action.resumed",
        "action.released",
        "action.submitted",
        "action.resubmitted",
        "action.reviewed",
        "action.overlapped",
        "commit.reported",
        "commit.pushed",
        "change.pushed",
        "branch.force_pushed",
    }
)
# Of what no card shows. A kind in none of the three may change any card of its project, or of all where it has none.
ON_NO_CARD: frozenset[EventKind] = frozenset(
    {
        "secret.rotated",
        "user.password_set",
        "sign_in_link.created",
        "session.started",
        "session.ended",
        "invite.created",
        "invite.revoked",
        "goal.created",
        "goal.edited",
        "goal.deleted",
        "canvas.arranged",
        "message.sent",
        "message.delivered",
        "message.acknowledged",
        "message.cancelled",
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
        "view.created",
        "view.edited",
        "view.deleted",
        "comment.added",
        "comment.edited",
        "comment.resolved",
        "comment.deleted",
        "run.started",
        "run.progressed",
        "run.ended",
        "share.created",
        "share.handed_over",
        "share.revoked",
        "submission.received",
        "submission.triaged",
        "picture.received",
        "picture.handed_over",
        "picture.removed",
        "attachment.added",
        "attachment.removed",
    }
)


class Change(NamedTuple):
    """An event, as far as it says what changed."""

    kind: EventKind
    project_id: str | None
    action_id: str | None


class ChangedActions(NamedTuple):
    """`spreading`: those of `ids` whose change others show too."""

    ids: frozenset[str]
    spreading: frozenset[str]


def changed_actions(changes: Iterable[Change], project_id: str) -> ChangedActions | None:
    """Of a project's board; None where any card may have changed."""
    ids: set[str] = set()
    spreading: set[str] = set()
    for change in changes:
        if change.kind in ON_NO_CARD or change.project_id not in (None, project_id):
            continue
        if change.action_id is None or not (change.kind in OWN or change.kind in SPREADING):
            return None
        ids.add(change.action_id)
        if change.kind in SPREADING:
            spreading.add(change.action_id)
    return ChangedActions(frozenset(ids), frozenset(spreading))
