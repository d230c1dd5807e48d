"""What people read for each code of the wire: one label, icon and tone, for every template and the share page.

Scripts read these from the page, so no text is written twice.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pendesk.domain.priority import NUMBERS, Level, priority_level


class Label(NamedTuple):
    """`icon` is a symbol of icons.svg; `tone` is one of neutral, info, good, warn, bad; `title` explains on hover."""

    text: str
    icon: str = ""
    tone: str = "neutral"
    title: str = ""


ACTION_STATES: Mapping[str, Label] = {
    "backlog": Label("Backlog", "circle-dashed"),
    "scope": Label("Scoping", "circle-dot-dashed"),
    "todo": Label("To do", "circle"),
    "in_progress": Label("In progress", "circle-dot"),
    "in_review": Label("In review", "eye"),
    "changes_requested": Label("Changes requested", "rotate-ccw", "warn", "A reviewer requested changes"),
    "done": Label("Done", "circle-check"),
    "wont_do": Label("Won't do", "circle-slash"),
}

CLAIM_STATES: Mapping[str, Label] = {
    "live": Label("Working", "activity", "good"),
    "aging": Label("Working", "activity", "neutral", "No sign of life for some minutes"),
    "stale": Label("Working", "activity", "warn", "No sign of life for longer than usual"),
    "quiet": Label("Quiet", "hourglass", "warn", "No recent activity. The lease has not expired yet"),
    "expired": Label("Expired", "clock", "bad", "The lease has expired: any agent can claim the action"),
}

# What an agent session does, as the hooks of its client report it.
ACTIVITY_STATES: Mapping[str, Label] = {
    "working": Label("Working", "activity", "good"),
    "waiting_permission": Label(
        "Waiting for permission", "hand", "warn", "Somebody has to allow its next step in its terminal"
    ),
    "idle": Label("Waiting for its person", "clock", "info", "Its turn is over: it continues with the next prompt"),
    "silent": Label("Silent", "hourglass", "warn", "No step was seen: it may have been closed"),
    "ended": Label("Ended", "circle-slash"),
}

# How far a message has come to one agent session.
DELIVERY_STATES: Mapping[str, Label] = {
    "queued": Label("Queued", "clock", "neutral", "Not delivered yet"),
    "delivered": Label("Delivered", "check", "info", "The agent has it in its context"),
    "acknowledged": Label("Acknowledged", "check-check", "good", "The agent has reported its progress since"),
}

# How an open action stands to whoever looks; of what is not ready, why.
AVAILABILITY: Mapping[str, Label] = {
    "mine": Label("Yours", "user", "info", "You hold it yourself"),
    "changes_requested": Label("Changes requested", "rotate-ccw", "warn", "Nobody works on the changes yet"),
    "free": Label("Ready", "circle-check", "good", "An agent can claim it now"),
    "blocked": Label("Waiting", "ban", "neutral", "Other actions must be done first"),
    "held": Label("Claimed", "hand", "info", "An agent or a person works on it"),
    "in_review": Label("In review", "eye", "info", "A person reviews it, or its agent works on requested changes"),
    "backlog": Label("Backlog", "circle-dashed", "neutral", "An idea"),
    "scope": Label("Scoping", "circle-dot-dashed", "neutral", "Needs design"),
    "unpublished": Label("Draft", "pencil", "neutral", "Not published: agents cannot see it yet"),
    "project_not_active": Label("In an inactive project", "minus", "neutral", "Its project is not active"),
    "not_a_participant": Label(
        "Ready for participants", "circle-check", "good", "An agent of a participant can claim it now"
    ),
}

# Why no agent can see an action.
HIDDEN: Mapping[str, Label] = {
    "backlog": Label("Not for agents yet", "circle-slash", "neutral", "An idea: agents cannot see it"),
    "scope": Label("Not for agents yet", "circle-slash", "neutral", "Needs design: agents cannot see it"),
    "unpublished": Label("Not published", "circle-slash", "warn", "Agents cannot see it until its spec is published"),
    "project_not_active": Label(
        "Project not active", "circle-slash", "warn", "Agents cannot see it while its project is not active"
    ),
    "no_agent": Label(
        "No agent", "circle-slash", "warn", "Nobody who takes part has an agent that is connected, so none can claim it"
    ),
}
# What a person does about it.
CURES: Mapping[str, str] = {
    "move_to_todo": "Move to To do",
    "add_criterion": "Add a criterion",
    "activate_plan": "Show its plan",
    "publish_spec": "Publish the spec",
    "activate_project": "Activate project",
    "add_participants": "Add participants",
    "connect_agent": "Connect an agent",
}

EVIDENCE: Mapping[str, Label] = {
    "claimed": Label("Self-reported", "message-square", "neutral", "The agent says so"),
    "artifact": Label("Report", "file-text", "info", "A test report that the server parsed"),
    "ci": Label("CI", "shield-check", "good", "A passing check on the submitted commit"),
    "human": Label("Confirmed", "user", "good", "A person confirmed it"),
}

# What is said of a submission's code: see domain/code_state.py.
PULL_REQUEST_STATES: Mapping[str, Label] = {
    "open": Label("open", "git-pull-request"),
    "draft": Label("draft", "git-pull-request"),
    "closed": Label("closed", "git-pull-request", "warn"),
    "merged": Label("merged", "git-pull-request", "info"),
}
CHECKS: Mapping[str, Label] = {
    "passed": Label("Checks passing", "shield-check", "good", "On the submitted commit"),
    "failed": Label("Checks failing", "octagon-x", "bad", "On the submitted commit"),
    "pending": Label("Checks running", "hourglass", "neutral", "On the submitted commit"),
    "none": Label("No checks", "minus", "neutral", "No check has run on the submitted commit"),
}
MERGE_STATES: Mapping[str, Label] = {
    "clean": Label("Mergeable", "check", "neutral", "GitHub can merge it"),
    "unstable": Label("Mergeable", "check", "neutral", "GitHub can merge it, though not every check passes"),
    "dirty": Label("Conflicts", "triangle-alert", "bad", "It conflicts with its base branch"),
    "behind": Label("Behind its base", "triangle-alert", "warn", "It must be brought up to its base branch first"),
    "blocked": Label("Merge blocked", "ban", "warn", "GitHub does not merge it yet: a rule of the repository fails"),
    "unknown": Label(
        "Mergeability unknown", "circle-help", "neutral", "GitHub has not found out whether it can merge it"
    ),
}
STALE_CODE: Mapping[str, Label] = {
    "not_connected": Label(
        "GitHub not connected", "unlink", "neutral", "The project has neither a webhook nor a token of its repository"
    ),
    "not_reported": Label(
        "Not heard from GitHub", "wifi-off", "warn", "GitHub has reported nothing about this pull request"
    ),
    "silent": Label("Not heard from GitHub", "wifi-off", "warn", "Nothing was heard of this pull request for a day"),
    "checks_silent": Label("Checks silent", "wifi-off", "warn", "Nothing was heard of the running checks for hours"),
}

# How a criterion stands by its evidence; where it has none, how far the work on it is. Only what is met has a check,
# in outline until a person confirms it.
CRITERION_STATES: Mapping[str, Label] = {
    "pending": Label("Pending", "circle-dashed"),
    "seen": Label("Read by agent", "eye", title="The agent has read it"),
    "implemented": Label("Implemented", "code"),
    "validated": Label("Self-reported", "circle-check", title="The agent says that it is met"),
    "claimed": Label("Self-reported", "circle-check", title="The agent says that it is met"),
    "artifact": Label("Report", "circle-check", title="A test report that the server parsed shows it"),
    "ci": Label("CI", "circle-check", title="A passing check on the submitted commit shows it"),
    "confirmed": Label("Confirmed", "circle-check", title="A person confirmed it"),
    "failing": Label("Failing", "octagon-x", "bad", "The latest test result is a failure"),
    "stale": Label("Stale", "triangle-alert", "warn", "What showed it no longer counts"),
    "rejected": Label("Rejected", "rotate-ccw", "bad", "The last review rejected it, and it has not passed since"),
}

PRIORITIES: Mapping[Level, Label] = {
    "urgent": Label("Urgent", "circle-alert", "bad"),
    "high": Label("High", "signal-high", "warn"),
    "medium": Label("Medium", "signal-medium"),
    "low": Label("Low", "signal-low"),
    "none": Label("None", "minus"),
}

CONNECTION: Mapping[str, Label] = {
    "connecting": Label("Connecting"),
    "connected": Label("Connected"),
    "reconnecting": Label("Reconnecting"),
    "offline": Label("Offline"),
}

PROJECT_STATES: Mapping[str, Label] = {
    "draft": Label("Draft", "pencil"),
    "active": Label("Active", "play"),
    "paused": Label("Paused", "hourglass"),
    "complete": Label("Complete", "check"),
    "archived": Label("Archived", "box"),
}

WATCH_REASONS: Mapping[str, str] = {
    "chosen": "you chose to",
    "author": "you wrote it",
    "assignee": "it is assigned to you or your agent",
    "commented": "you commented on it",
    "mentioned": "you were mentioned",
    "spec": "you watch its spec",
    "project": "you watch its project",
}

INBOX_KINDS: Mapping[str, Label] = {
    "question": Label("Question", "message-circle-question-mark", "warn"),
    "review": Label("Review", "eye", "info"),
    "claim": Label("Claim expired", "clock", "bad"),
    "rework": Label("Changes not started", "rotate-ccw", "warn"),
    "take_over": Label("Claim taken over", "hand", "warn"),
    "guest": Label("Guest request", "mail"),
    "dropped": Label("Won't do", "circle-slash", "warn", "Other actions wait for it"),
    "watched": Label("Watched", "eye"),
    "mention": Label("Mention", "message-square", "info", "A comment mentions you"),
    "proposal": Label("Proposal", "sparkles", "info", "An agent drafted it for you to accept"),
}

PROPOSAL_STATES: Mapping[str, Label] = {
    "open": Label("Waits for a decision", "clock", "warn"),
    "accepted": Label("Accepted", "check-check", "good"),
    "partly_accepted": Label("Partly accepted", "check", "info"),
    "rejected": Label("Rejected", "x", "bad"),
    "superseded": Label("Replaced", "history", title="The agent has sent a newer version"),
}

# What was decided about one item of a proposal.
ITEM_DECISIONS: Mapping[str, Label] = {
    "accepted": Label("Accepted", "check", "good"),
    "edited": Label("Accepted with edits", "pencil", "good"),
    "rejected": Label("Not accepted", "x"),
    "left_out": Label("Left out", "unlink", "warn", "What it names was not accepted, or is gone"),
}

# What the cards of a board stand together by, and those that have none of it.
GROUPS: Mapping[str, Label] = {
    "spec": Label("Group by spec"),
    "agent": Label("Group by agent"),
    "person": Label("Group by person"),
    "label": Label("Group by label"),
}
WITHOUT_GROUP: Mapping[str, str] = {
    "spec": "No spec",
    "agent": "No agent",
    "person": "No person",
    "label": "No label",
}

# Kinds of events whose wire name is not the word that people read.
EVENT_NOUNS: Mapping[str, str] = {
    "canvas": "Flow",
    "clarification": "Question",
    "edge": "Connection",
    "grant": "Agent access",
    "picture": "Mirror",
    "report": "Late report",
    "session": "Sign-in",
    "submission": "Guest request",
}


def priority_label(priority: int) -> Label:
    return PRIORITIES[priority_level(priority)]


def priority_choices(current_priority: int) -> list[tuple[str, str]]:
    """(value, text) for a select. The current level keeps its exact number, so saving a form does not change it."""
    current = priority_level(current_priority)
    return [
        (str(current_priority if level == current else NUMBERS[level]), label.text)
        for level, label in PRIORITIES.items()
    ]


def event_noun_label(wire_noun: str) -> str:
    return EVENT_NOUNS.get(wire_noun) or wire_noun.replace("_", " ").capitalize()
