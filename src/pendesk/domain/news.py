"""What an agent reads of an event that a person caused in its work.

A person's message is told apart from all other news by its kind and by how its text begins (domain/message.py).
"""

from pendesk.domain.action import ActionState
from pendesk.domain.event import EventData
from pendesk.domain.event_data import (
    ActionMovedData,
    ActionReleasedData,
    ActionReviewedData,
    ClarificationAnsweredData,
    MessageSentData,
    ProposalDecidedData,
    SessionPausedData,
    SessionStoppedData,
)
from pendesk.domain.message import quoted_if_like_message
from pendesk.domain.review import Verdict
from pendesk.domain.session_control import ControlKind, control_text


def news_text(data: EventData, ref: str | None, person: str, at: int) -> str | None:
    """Of all news but messages. None where there is nothing to tell: an answer that the agent relayed itself, an event
    of another kind. `ref` is that of the action, which a draft may lack; `at` is when the event happened.
    """
    text = _text(data, ref, person, at)
    return quoted_if_like_message(text) if text is not None else None


def _text(data: EventData, ref: str | None, person: str, at: int) -> str | None:
    if isinstance(data, SessionPausedData):
        return control_text(ControlKind.PAUSE, person, at, data.reason or "")
    if isinstance(data, SessionStoppedData):
        return control_text(ControlKind.STOP, person, at, data.reason or "")
    if isinstance(data, ProposalDecidedData):
        return _draft_text(data, person)
    if ref is None:
        return None
    if isinstance(data, ClarificationAnsweredData):
        return None if data.relayed else f"{person} answered your question on {ref}: {data.news or data.answer}"
    if isinstance(data, ActionReviewedData):
        return _verdict_text(data, ref, person)
    if isinstance(data, ActionReleasedData):
        return _release_text(data, ref, person)
    if isinstance(data, ActionMovedData):
        return f"{person} set {ref} to {data.after}: nothing of it is left to you."
    return None


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


def _release_text(data: ActionReleasedData, ref: str, person: str) -> str:
    reason = f" Reason: {data.reason}" if data.reason else ""
    if data.before == ActionState.CHANGES_REQUESTED:
        return f"{person} handed the changes requested on {ref} to another agent: leave them.{reason}"
    return f"{person} released your claim on {ref}: stop working on it.{reason}"


def _draft_text(data: ProposalDecidedData, person: str) -> str:
    verdict = data.verdict.replace("_", " ")
    remark = f" Remark: {data.message}" if data.message else ""
    items = f"{data.accepted} of {data.accepted + data.rejected} items"
    return f"{person} {verdict} your draft of the {data.draft} {data.title} ({items}); get_draft shows each.{remark}"
