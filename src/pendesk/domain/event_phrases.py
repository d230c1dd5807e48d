"""An event in words: what somebody did, to be read after their name. For the timeline, for Slack and notifications."""

from collections.abc import Mapping
from string import Formatter
from typing import Any, Literal, NamedTuple, get_args

from pendesk.domain.event import EventData
from pendesk.domain.event_data import (
    ACCEPTED_DRAFT_FIELD,
    USER_FIELDS,
    ActionClaimedData,
    ActionMovedData,
    CommentData,
    MessageSentData,
    parse_event_data,
)
from pendesk.domain.limits import DETAIL_CHARS

# {it} is the action's ref code where the event is about one; {member} and {invitee} are the name of the user and the
# address of the invite that are the event's object. {object}, {spec} and {document} are titles as they are now, of the
# event's object and of the spec or document that it names. The rest are fields of the event's data.
PHRASES: dict[str, str] = {
    "workspace.created": "created the workspace",
    "workspace.renamed": "renamed the workspace to {after}",
    "workspace.participation_changed": "changed who takes part in specs to {after}",
    "secret.rotated": "replaced the server's secret",
    "user.created": "created an account for {member}",
    "user.password_set": "set a password for {member}",
    "user.linked": "linked a sign-in provider",
    "member.added": "added {member} as {role}",
    "member.renamed": "renamed {member}",
    "agent.renamed": "renamed an agent",
    "agent_session.paused": "paused {session}",
    "agent_session.resumed": "resumed {session}",
    "agent_session.stopped": "stopped {session}",
    "member.role_changed": "changed the role of {member} from {before} to {after}",
    "member.handed_over": "transferred the agent {member} to {to}",
    "member.removed": "removed {member}",
    "token.created": "created the token {name} for {user}",
    "token.handed_over": "transferred the token {name} to {to}",
    "token.revoked": "revoked the token {name} of {user}",
    "grant.created": "connected {client}",
    "grant.revoked": "disconnected {client}",
    "sign_in_link.created": "created a sign-in link for {member}",
    "session.started": "signed in",
    "session.ended": "signed out a browser",
    "invite.created": "invited {invitee} as {role}",
    "invite.revoked": "revoked the invite of {invitee}",
    "project.created": "created the project {name}",
    "project.activity_changed": "turned the saving of agents' activity {after}",
    "project.edited": "edited the project {object}",
    "goal.created": "created the goal {title}",
    "goal.edited": "edited the goal {object}",
    "spec.created": "created the spec {title}",
    "spec.edited": "edited the spec {object}",
    "proposal.created": "proposed a {draft}: {title}",
    "proposal.decided": "{verdict} a {draft} that {agent} drafted: {title}",
    "participant.added": "added {member} as a participant of the spec {spec}",
    "participant.removed": "removed {member} as a participant of the spec {spec}",
    "plan.created": "created the plan {title}",
    "plan.edited": "edited the plan {object}",
    "plan.activated": "activated the plan {object}",
    "plan.ordered": "reordered the actions of the plan {object}",
    "action.created": "created {it}: {label}",
    "action.edited": "edited {it}",
    "action.moved": "moved {it} from {before} to {after}",
    "action.reopened": "reopened {it}",
    "criterion.created": "added a criterion to {it}",
    "criterion.edited": "edited a criterion of {it}",
    "criterion.removed": "removed a criterion of {it}",
    "criterion.restored": "restored a criterion of {it}",
    "criterion.advanced": "advanced criteria of {it}",
    "edge.created": "connected {it}",
    "canvas.arranged": "arranged {tasks} actions on the canvas",
    "edge.removed": "removed a connection of {it}",
    "build.published": "published build {after} of the spec {spec}",
    "action.claimed": "claimed {it}",
    "action.resumed": "resumed work on {it}",
    "action.released": "released the claim on {it}",
    "action.progressed": "reported progress on {it}",
    "action.dropped": "dropped {it}",
    "action.dependents_released": "released what waits for {it}",
    "action.submitted": "submitted {it} for review",
    "action.resubmitted": "submitted {it} for review again",
    "action.reviewed": "reviewed {it}: {verdict}",
    "action.overlapped": "changed the same files for {it} and {other}",
    "report.late": "reported on {it} after the claim had ended",
    "clarification.asked": "asked a question about {it}",
    "clarification.answered": "answered a question about {it}",
    "message.sent": "sent a message to an agent",
    "message.delivered": "received a message",
    "message.acknowledged": "acknowledged a message",
    "message.cancelled": "cancelled a message",
    "commit.reported": "committed for {it}",
    "test.reported": "ran a test of {it}: {outcome}",
    "test_report.uploaded": "uploaded a test report for {it}",
    "commit.pushed": "pushed {commits} commits for {it}",
    "change.pushed": "pushed the change of {it}",
    "deviations.recorded": "recorded deviations of {it}: {what}",
    "deviations.accepted": "accepted deviations of {it}: {what}",
    "branch.force_pushed": "force-pushed the branch {branch}",
    "pull_request.changed": "updated the pull request of {it}",
    "checks.changed": "changed the checks of {it} from {before} to {after}",
    "evidence.added": "added evidence for {it}",
    "evidence.staled": "marked evidence of {it} as stale",
    "state.recorded": "recorded the state of {count} actions",
    "webhook.set": "set the GitHub webhook",
    "webhook.handed_over": "transferred the GitHub webhook to {to}",
    "webhook.removed": "removed the GitHub webhook",
    "github_token.set": "set the GitHub token",
    "github_token.removed": "removed the GitHub token",
    "outgoing_webhook.created": "created a webhook",
    "outgoing_webhook.edited": "edited a webhook",
    "outgoing_webhook.handed_over": "transferred a webhook to {to}",
    "outgoing_webhook.removed": "removed a webhook",
    "outgoing_webhook.failing": "stopped a webhook that had failed for a day",
    "document.created": "created the document {title}",
    "document.edited": "edited the document {object}",
    "document.moved": "moved the document {title}",
    "note.created": "created the note {title}",
    "note.edited": "edited the note {object}",
    "view.created": "shared the view {title}",
    "view.edited": "changed the shared view {title}",
    "view.deleted": "deleted the shared view {title}",
    "comment.added": "commented on the document {document}",
    "comment.edited": "edited a comment",
    "comment.resolved": "resolved a comment",
    "run.started": "started a run: {label}",
    "run.progressed": "reported progress on a run",
    "run.ended": "ended a run: {status}",
    "submission.received": "sent a guest request",
    "submission.triaged": "triaged a guest request: {status}",
    "share.created": "created a share link",
    "share.handed_over": "transferred a share link to {to}",
    "share.revoked": "revoked a share link",
    "project.imported": "imported the project {name}",
    "project.published": "published the project on {server_url}",
    "project.pushed": "pushed the project's changes to {server_url}",
    "picture.received": "received the mirror of {name} from another server",
    "picture.handed_over": "transferred the mirror of {name} to {to}",
    "picture.removed": "removed the mirror of {name}",
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

# Where somebody did it to themselves: their name stands before it already.
OWN_PHRASES: dict[str, str] = {
    "user.created": "created an account",
    "user.password_set": "set a password",
    "member.added": "joined as {role}",
    "member.renamed": "changed their name",
    "member.role_changed": "changed their own role from {before} to {after}",
    "member.removed": "left the workspace",
    "sign_in_link.created": "created a sign-in link",
    "participant.added": "joined the spec {spec} as a participant",
    "participant.removed": "left the spec {spec} as a participant",
}

# By audience.
MESSAGE_PHRASES = {
    "action": "sent a message to the agent on {it}",
    "project": "sent a message to all agents at work in the project",
}
# By what was commented on, where that is no document.
COMMENT_PHRASES = {"action": "commented on {it}", "spec": "commented on the spec {spec}"}
TAKE_OVER_PHRASE = "took over {it} from another session"
# After the phrase of what was dropped while others wait for it.
DEPENDENTS_PHRASE = "; waiting for it: {dependents}"
# After the phrase of what a person accepted from a proposal (Call.accepted_draft_of).
ACCEPTED_DRAFT_PHRASE = ", accepted from a draft of {agent}"

# Of what is edited without a new revision; the rest of it is only ever about where a card stands.
FIELD_WORDS = {"priority": "priority", "due": "due date", "labels": "labels", "assignee": "assignee"}

# What has a title and a page. Its title stands in the data of what was created, and else is looked up.
TitledNoun = Literal["project", "goal", "spec", "plan", "document", "note"]
_TITLED: dict[str, TitledNoun] = {noun: noun for noun in get_args(TitledNoun)}

NO_NAME = "…"
FORMER_MEMBER = "a former member"
INVITEE = "someone"  # once the invite has expired, its address is gone


class MentionedNames(NamedTuple):
    """What events name by an id, as it is now: members by user id and agents by theirs, addresses by invite id, and
    what has a title by its own.
    """

    name_by_user_id: Mapping[str, str]
    address_by_invite_id: Mapping[str, str] = {}
    title_by_id: Mapping[str, str] = {}


class Titled(NamedTuple):
    noun: TitledNoun
    id: str


class Phrase(NamedTuple):
    """deed: to be read after the actor's name. detail: what somebody wrote. about: what the deed names by `title`,
    where it is still there.
    """

    deed: str
    detail: str
    about: Titled | None = None
    title: str = ""


class EventSubject(NamedTuple):
    """Who and what an event is about, beside its data. ref: the action's ref code."""

    kind: str
    actor_id: str | None
    object_id: str
    ref: str | None
    spec_id: str | None = None


def describe_event(subject: EventSubject, data: Mapping[str, Any], names: MentionedNames) -> Phrase:
    read = parse_event_data(subject.kind, data)
    template = PHRASES.get(subject.kind, subject.kind.replace(".", " ").replace("_", " "))
    if isinstance(read, ActionClaimedData) and read.taken_over:
        template = TAKE_OVER_PHRASE
    if isinstance(read, MessageSentData):
        template = MESSAGE_PHRASES.get(read.audience, template)
    if isinstance(read, CommentData) and subject.kind == "comment.added":
        template = COMMENT_PHRASES.get(read.on or "", template)
    if isinstance(read, ActionMovedData) and read.dependents:
        template += DEPENDENTS_PHRASE
    if subject.kind == "action.edited":
        template = _edit_phrase(data) or template
    if subject.actor_id == subject.object_id:
        template = OWN_PHRASES.get(subject.kind, template)
    values = {name: _placeholder_value(name, subject, read, names) for name in placeholder_names(template)}
    deed = template.format_map(
        values | {"assignee": names.name_by_user_id.get(_assignee_after_edit(data) or "", FORMER_MEMBER)}
    )
    about = titled_of_event(subject, data)
    title = next((values[name] for name in ("object", "spec", "document", "title", "name") if name in values), "")
    drafted_by = data.get(ACCEPTED_DRAFT_FIELD)
    if isinstance(drafted_by, str):
        deed += ACCEPTED_DRAFT_PHRASE.format(agent=drafted_by)
    is_there = about is not None and about.id in names.title_by_id and bool(title)
    return Phrase(
        deed[:DETAIL_CHARS],
        read.user_written_text()[:DETAIL_CHARS],
        about if is_there else None,
        title if is_there else "",
    )


def titled_of_event(subject: EventSubject, data: Mapping[str, Any]) -> Titled | None:
    """What its phrase names by a title, or would if it had none of its own."""
    noun, _, deed = subject.kind.partition(".")
    if noun in _TITLED:
        return Titled(_TITLED[noun], subject.object_id) if deed != "deleted" else None
    document = data.get("document") if subject.kind == "comment.added" else None
    if isinstance(document, str):
        return Titled("document", document)
    names_spec = "spec" in placeholder_names(PHRASES.get(subject.kind, "")) or data.get("on") == "spec"
    return Titled("spec", subject.spec_id) if names_spec and subject.spec_id else None


def _edit_phrase(data: Mapping[str, Any]) -> str | None:
    """None where texts were edited, or where it was only put somewhere else."""
    if "spec" in data:
        return "moved {it} to another spec" if all(data["spec"].values()) else _into_or_out_of_spec(data["spec"])
    after = _fields_after_edit(data)
    if list(after) == ["assignee"]:
        return "assigned {it} to {assignee}" if after["assignee"] else "removed the assignee of {it}"
    words = [word for name, word in FIELD_WORDS.items() if name in after]
    return f"changed the {' and '.join(words)} of {{it}}" if words and "revision" not in data else None


def _into_or_out_of_spec(spec: Mapping[str, Any]) -> str:
    return "moved {it} into a spec" if spec["after"] else "moved {it} out of its spec"


def _fields_after_edit(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was changed beside the texts, as it was afterwards."""
    place = data.get("place")
    after = place.get("after") if isinstance(place, dict) else None
    return after if isinstance(after, dict) else {}


def _assignee_after_edit(data: Mapping[str, Any]) -> str | None:
    assignee = _fields_after_edit(data).get("assignee")
    return assignee if isinstance(assignee, str) else None


def placeholder_names(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name is not None]


def mentioned_user_ids(kind: str, object_id: str, data: Mapping[str, Any]) -> set[str]:
    """The ids that `describe_event` needs names for; among them agents that something was assigned to."""
    if kind == "action.edited":
        return {ident for ident in [_assignee_after_edit(data)] if ident}
    needed = placeholder_names(PHRASES.get(kind, ""))
    read = parse_event_data(kind, data)
    ids = {getattr(read, name, None) for name in USER_FIELDS & set(needed)}
    return {ident for ident in ids | ({object_id} if "member" in needed else set()) if ident}


def _placeholder_value(name: str, subject: EventSubject, data: EventData, names: MentionedNames) -> str:
    if name == "it":
        return subject.ref or "it"
    if name == "member":
        return names.name_by_user_id.get(subject.object_id, FORMER_MEMBER)
    if name == "invitee":
        return names.address_by_invite_id.get(subject.object_id, INVITEE)
    if name == "object":
        return names.title_by_id.get(subject.object_id, NO_NAME)
    if name == "spec":
        return names.title_by_id.get(subject.spec_id or "", NO_NAME)
    value = getattr(data, name, None)
    if name == "document":
        return names.title_by_id.get(value, NO_NAME) if isinstance(value, str) else NO_NAME
    if name == "dependents":
        return ", ".join(map(str, value or ()))
    if name in USER_FIELDS:
        return names.name_by_user_id.get(value or "", FORMER_MEMBER)
    return _identifier_to_words(value) if isinstance(value, str | int) and value != "" else NO_NAME


def _identifier_to_words(value: str | int) -> str:
    """A code as words: in_review is "in review"."""
    text = str(value)
    return text.replace("_", " ") if text.islower() and text.isidentifier() else text
