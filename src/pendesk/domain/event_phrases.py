"""An event in words: what somebody did, after their name. For the timeline, for Slack and for notifications."""

from typing import Any, NamedTuple

from pendesk.domain.limits import DETAIL_CHARS

# {it} is the action's ref code where the event is about one; the rest are fields of the event's data.
DEEDS: dict[str, str] = {
    "workspace.created": "founded the workspace",
    "workspace.renamed": "renamed the workspace to {after}",
    "secret.rotated": "replaced the server's secret",
    "user.created": "got an account",
    "user.password_set": "set a password",
    "user.linked": "linked a sign-in provider",
    "member.added": "joined as {role}",
    "member.renamed": "renamed {before} to {after}",
    "member.role_changed": "changed a role from {before} to {after}",
    "member.handed_over": "handed the agent {name} over",
    "member.removed": "removed {name}",
    "token.created": "made the token {name}",
    "token.handed_over": "handed the token {name} over",
    "token.revoked": "revoked the token {name}",
    "grant.created": "let a client in",
    "grant.revoked": "ended a client's access",
    "sign_in_link.created": "made a sign-in link",
    "session.started": "signed in",
    "session.ended": "ended a session",
    "invite.created": "invited someone as {role}",
    "invite.revoked": "took an invite back",
    "project.created": "started the project {name}",
    "project.edited": "edited the project",
    "goal.created": "set the goal {title}",
    "goal.edited": "edited a goal",
    "spec.created": "began the spec {title}",
    "spec.edited": "edited the spec",
    "participant.added": "added a participant",
    "participant.removed": "removed a participant",
    "plan.created": "drafted the plan {title}",
    "plan.edited": "edited the plan",
    "plan.activated": "made a plan the active one",
    "plan.ordered": "put the actions of a plan in another order",
    "action.created": "added {it}: {label}",
    "action.edited": "edited {it}",
    "action.moved": "moved {it} from {before} to {after}",
    "action.reopened": "opened {it} again",
    "criterion.created": "added a criterion to {it}",
    "criterion.edited": "edited a criterion of {it}",
    "criterion.removed": "removed a criterion of {it}",
    "criterion.advanced": "moved criteria of {it} on",
    "edge.created": "connected {it}",
    "canvas.arranged": "arranged {tasks} tasks on the canvas",
    "edge.removed": "removed a connection of {it}",
    "build.published": "published build {after}",
    "action.claimed": "claimed {it}",
    "action.resumed": "took {it} up again",
    "action.released": "released {it}",
    "action.progressed": "reported on {it}",
    "action.dropped": "dropped {it}",
    "action.submitted": "handed in {it}",
    "action.resubmitted": "handed in {it} again",
    "action.reviewed": "reviewed {it}: {verdict}",
    "report.late": "reported on {it} after the claim was lost",
    "clarification.asked": "asked about {it}",
    "clarification.answered": "answered a question on {it}",
    "commit.reported": "committed for {it}",
    "test.reported": "ran a test of {it}: {outcome}",
    "test_report.uploaded": "uploaded a test report for {it}",
    "commit.pushed": "pushed {commits} commits for {it}",
    "branch.force_pushed": "rewrote the branch {branch}",
    "pull_request.changed": "saw the pull request of {it} change",
    "checks.changed": "saw the checks of {it} go from {before} to {after}",
    "evidence.added": "brought evidence for {it}",
    "evidence.staled": "made evidence of {it} stale",
    "webhook.set": "set the GitHub webhook",
    "webhook.handed_over": "handed the GitHub webhook over",
    "webhook.removed": "removed the GitHub webhook",
    "outgoing_webhook.created": "set up a webhook",
    "outgoing_webhook.edited": "changed a webhook",
    "outgoing_webhook.handed_over": "handed a webhook over",
    "outgoing_webhook.removed": "removed a webhook",
    "outgoing_webhook.failing": "gave up on a webhook that failed for a day",
    "document.created": "wrote the document {title}",
    "document.edited": "edited a document",
    "document.moved": "moved the document {title}",
    "note.created": "wrote the note {title}",
    "note.edited": "edited a note",
    "comment.added": "commented on a document",
    "comment.resolved": "resolved a comment",
    "run.started": "started a run: {label}",
    "run.progressed": "went on with a run",
    "run.ended": "ended a run: {status}",
    "submission.received": "left an item in the inbox",
    "submission.triaged": "triaged an item: {status}",
    "share.created": "made a share link",
    "share.handed_over": "handed a share over",
    "share.revoked": "took a share link back",
    "project.imported": "imported the project {name}",
    "project.published": "published the project on another server",
    "project.pushed": "sent the project's changes to the other server",
    "picture.received": "received a project's picture from another server",
    "picture.handed_over": "handed a project's picture over",
    "picture.removed": "removed a project's picture",
    "project.deleted": "deleted the project {name}",
    "goal.deleted": "deleted the goal {title}",
    "spec.deleted": "deleted the spec {title}",
    "plan.deleted": "deleted the plan {title}",
    "action.deleted": "deleted {ref}: {label}",
    "document.deleted": "deleted the document {title}",
    "note.deleted": "deleted the note {title}",
    "comment.deleted": "deleted a comment",
    "attachment.added": "attached {name}",
    "attachment.removed": "removed the attachment {name}",
}

# In somebody's own words: the first of these that an event carries is shown below the deed.
WORDS = ("message", "question", "answer", "summary", "reason", "body", "text", "evidence")


class Told(NamedTuple):
    deed: str
    detail: str


class _Fields(dict[str, str]):
    """What an older event does not carry is passed over."""

    def __missing__(self, name: str) -> str:
        return "it" if name == "it" else "…"


def tell(kind: str, ref: str | None, data: dict[str, Any]) -> Told:
    plain = {name: _plain(value) for name, value in data.items() if isinstance(value, str | int)}
    fields = _Fields(plain | ({"it": ref} if ref else {}))
    deed = DEEDS.get(kind, kind.replace(".", " ").replace("_", " ")).format_map(fields)
    words = next((plain[name] for name in WORDS if plain.get(name)), "")
    return Told(deed[:DETAIL_CHARS], words[:DETAIL_CHARS])


def _plain(value: str | int) -> str:
    """A code as words: in_review is "in review"."""
    text = str(value)
    return text.replace("_", " ") if text.islower() and text.isidentifier() else text
