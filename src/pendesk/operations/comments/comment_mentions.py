"""Whom a comment mentions: a person finds it in the inbox, and an agent reads it with its next call."""

from dataclasses import replace
from typing import NamedTuple

from pendesk.domain.assignee import Assignable
from pendesk.domain.comment import Comment
from pendesk.domain.event import Event
from pendesk.domain.event_data import CommentData
from pendesk.domain.limits import ASSIGNABLE_COMPARED
from pendesk.domain.mention import MentionSpan, find_mentions, mentionable_by_written_name, unreached_because
from pendesk.operations.comments.find import Subject
from pendesk.operations.operation import Call
from pendesk.store import actions, agents, assignees, mentions, participants, session_news
from pendesk.store.mentions import MentionRow


def record_with_mentions(call: Call, event: Event, comment: Comment, subject: Subject) -> list[str]:
    """Record the event of a comment that was added or edited, and let those hear of it who are newly mentioned. Why
    some do not.
    """
    spans = _spans_by_name(call, comment.body)
    before = {row.name for row in mentions.by_comment_id(call.tx, [comment.id]).get(comment.id, [])}
    for name in before - spans.keys():
        mentions.remove(call.tx, comment.id, name)
    new = [span for name, span in spans.items() if name not in before]
    if not new:
        call.record(event)
        return []
    outcomes = [_find_reached(call, span, comment, subject) for span in new]
    reached = [outcome for outcome in outcomes if isinstance(outcome, Reached)]
    assert isinstance(event.data, CommentData)
    user_ids = [someone.user_id for someone in reached if someone.user_id]
    event_id = call.record_returning_id(event._replace(data=replace(event.data, mentions=user_ids or None)))
    for someone in reached:
        mentions.add(
            call.tx, MentionRow(comment.id, someone.name, someone.user_id, someone.agent_id, event_id, call.now)
        )
        if someone.agent_id is not None:
            _tell_agent(call, someone.agent_id, subject, event_id)
    return [reason for reason in outcomes if isinstance(reason, str)]


def _spans_by_name(call: Call, body: str) -> dict[str, MentionSpan]:
    if "@" not in body:
        return {}
    known = mentionable_by_written_name(assignees.all_assignable(call.tx, ASSIGNABLE_COMPARED))
    first_of_each: dict[Assignable | str, MentionSpan] = {}
    for span in find_mentions(body, known):
        first_of_each.setdefault(span.mentioned or span.name, span)
    return {span.name: span for span in first_of_each.values()}


class Reached(NamedTuple):
    """A person, or an agent."""

    name: str
    user_id: str | None
    agent_id: str | None


def _find_reached(call: Call, span: MentionSpan, comment: Comment, subject: Subject) -> Reached | str | None:
    """Who hears of it, or why nobody does; None where people mention themselves."""
    someone = span.mentioned
    agent_id = _agent_id(call, someone) if someone else None
    is_agent = someone is not None and someone.kind == "agent"
    reason = unreached_because(
        span,
        has_token=not is_agent or (agent_id is not None and bool(agents.working_tokens_of(call.tx, [agent_id]))),
        may_see=not (someone and is_agent) or _may_see(call, someone, subject),
    )
    if reason is not None or someone is None:
        return reason
    user_id = None if agent_id else someone.assignee.user_id
    if user_id == call.actor.user_id and comment.session_id is None:
        return None
    return Reached(span.name, user_id, agent_id)


def _agent_id(call: Call, someone: Assignable) -> str | None:
    """An account of its own is reached by its newest agent."""
    if someone.kind != "agent":
        return None
    return someone.assignee.agent_id or agents.newest_of_user(call.tx, someone.member_id)


def _may_see(call: Call, someone: Assignable, subject: Subject) -> bool:
    return subject.spec_id is None or participants.is_participant(call.tx, subject.spec_id, someone.member_id)


def _tell_agent(call: Call, agent_id: str, subject: Subject, event_id: int) -> None:
    """The session that holds the action, if it is the agent's; else whichever session calls first. Where none does, the
    next one that begins.
    """
    facts = actions.facts(call.tx, subject.action_id) if subject.action_id else None
    holder = facts.holder_session if facts else None
    awake = mentions.awake_sessions(call.tx, agent_id)
    own = call.agent_session.id if call.agent_session else None
    for session_id in [holder.id] if holder is not None and holder.id in awake else awake:
        if session_id != own:
            session_news.add(call.tx, session_id, event_id)
