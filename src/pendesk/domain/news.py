"""What an agent reads of an event that a person caused in its work.

A person's message is told apart from all other news by its kind and by how its text begins (domain/message.py).
"""

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ActionFacts, ClaimKind, is_held_even_if_expired
from pendesk.domain.event import EventData
from pendesk.domain.event_data import (
    ActionClaimedData,
    ActionMovedData,
    ActionOverlappedData,
    ActionReleasedData,
    ActionReviewedData,
    BuildPublishedData,
    ClarificationAnsweredData,
    MessageSentData,
    ProposalDecidedData,
    PullRequestChangedData,
    SessionPausedData,
    SessionStoppedData,
)
from pendesk.domain.limits import OVERLAP_PATH_NEWS_CHARS
from pendesk.domain.message import quoted_if_like_message
from pendesk.domain.review import ReviewItem, Verdict
from pendesk.domain.session_control import ControlKind, control_text

NEWS_QUOTE_LINES = 4
MORE_COMMENTS = "More comments on lines are in get_action_brief's review.items."
# Of the texts that an agent works from.
EDITS = frozenset({"action.edited", "criterion.created", "criterion.edited", "criterion.removed", "criterion.restored"})

# A published criterion is one until it is removed, and again when it is restored.
AT_ONCE = frozenset({"criterion.removed", "criterion.restored"})


def news_text(kind: str, data: EventData, ref: str | None, person: str, at: int) -> str | None:
    """Of all news but messages. None where there is nothing to tell: an answer that the agent relayed itself, an event
    of another kind. `ref` is that of the action, which a draft may lack; `at` is when the event happened.
    """
    is_edit = kind in EDITS and ref is not None
    text = f"{person} edited {ref}: read it again before you go on." if is_edit else _text(data, ref, person, at)
    return quoted_if_like_message(text) if text is not None else None


def _text(data: EventData, ref: str | None, person: str, at: int) -> str | None:
    if isinstance(data, SessionPausedData):
        return control_text(ControlKind.PAUSE, person, at, data.reason or "")
    if isinstance(data, SessionStoppedData):
        return control_text(ControlKind.STOP, person, at, data.reason or "")
    if isinstance(data, ProposalDecidedData):
        return _draft_text(data, person)
    if isinstance(data, BuildPublishedData):
        spec = f" of {data.title}" if data.title else ""
        return f"{data.after}{spec} was published: your brief changed; get_action_brief shows what."
    return _action_text(data, ref, person) if ref is not None else None


def _action_text(data: EventData, ref: str, person: str) -> str | None:
    if isinstance(data, ClarificationAnsweredData):
        return None if data.relayed else f"{person} answered your question on {ref}: {data.news or data.answer}"
    if isinstance(data, ActionReviewedData):
        return _verdict_text(data, ref, person)
    if isinstance(data, ActionReleasedData):
        return _release_text(data, ref, person)
    if isinstance(data, ActionClaimedData):
        return _lost_claim_text(data, ref)
    if isinstance(data, PullRequestChangedData):
        return _parted_text(data, ref)
    if isinstance(data, ActionOverlappedData):
        return _overlap_text(data, ref)
    if isinstance(data, ActionMovedData):
        return f"{person} set {ref} to {data.after}: nothing of it is left to you."
    return None


def is_edit_news(kind: str, facts: ActionFacts) -> bool:
    """To the agent at work on it. What was published is read as it was until the next build, but for criteria that
    were removed or restored; a plain task is read as it is.
    """
    claim = facts.claim
    if claim is None or not is_held_even_if_expired(claim):
        return False
    return facts.build_id is None or claim.kind == ClaimKind.TASK or kind in AT_ONCE


def calls_for_work(data: EventData) -> bool:
    """Whether an agent that is about to end its turn should go on because of it."""
    if isinstance(data, ActionReviewedData):
        return data.verdict != Verdict.APPROVED
    return isinstance(data, MessageSentData) or (isinstance(data, ClarificationAnsweredData) and not data.relayed)


def _verdict_text(data: ActionReviewedData, ref: str, person: str) -> str:
    summary = data.news.removeprefix(f"{data.verdict}: ")
    if data.verdict == Verdict.APPROVED:
        return f"{ref} was approved by {person}. {summary}"
    return f"{person} requested changes on {ref}; get_action_brief lists them. {summary}"


def line_comment_text(item: ReviewItem) -> str:
    """Where, what, and the lines themselves."""
    place = f"{item.path}:{item.line}" + (f"-{item.end_line}" if item.end_line not in (None, item.line) else "")
    remark = "" if item.is_request else " (remark)"
    quote = "".join(f"\n{line}" for line in (item.quote or "").split("\n")[-NEWS_QUOTE_LINES:])
    return f"{place}{remark}: {item.text}{quote}"


def _release_text(data: ActionReleasedData, ref: str, person: str) -> str:
    reason = f" Reason: {data.reason}" if data.reason else ""
    if data.before == ActionState.CHANGES_REQUESTED:
        return f"{person} handed the changes requested on {ref} to another agent: leave them.{reason}"
    return f"{person} released your claim on {ref}: stop working on it.{reason}"


def _lost_claim_text(data: ActionClaimedData, ref: str) -> str:
    if data.taken_over:
        return f"Another session took over {ref}: stop working on it."
    return f"Your claim on {ref} had expired and another has it now: stop working on it."


def _parted_text(data: PullRequestChangedData, ref: str) -> str | None:
    head = data.after.get("headSha")
    if not data.moved_since_submission or not head or not data.submitted_sha:
        return None
    return (
        f"Pull request #{data.number} of {ref} is now at {head[:8]}, but you submitted {data.submitted_sha[:8]}, and "
        "that is reviewed. If the newer commits belong to it, use resubmit_for_review."
    )


def _overlap_text(data: ActionOverlappedData, ref: str) -> str:
    paths = ", ".join(path[:OVERLAP_PATH_NEWS_CHARS] for path in data.paths)
    more = f" and {data.files - len(data.paths)} more" if data.files > len(data.paths) else ""
    return f"{data.other} touches files that your {ref} touches too: keep to your part. Files: {paths}{more}"


def _draft_text(data: ProposalDecidedData, person: str) -> str:
    verdict = data.verdict.replace("_", " ")
    remark = f" Remark: {data.message}" if data.message else ""
    items = f"{data.accepted} of {data.accepted + data.rejected} items"
    return f"{person} {verdict} your draft of the {data.draft} {data.title} ({items}); get_draft shows each.{remark}"
