"""What people decided about an agent's work, or wrote to it: a verdict, an answer, a released claim, a message.

It is addressed to the session whose work it was, and told with that session's next call, whatever that is about: once.
A caller whom nothing tells apart from others (no marks) hears it with any call, and whoever then calls about the action
itself once more, since the first may have been another terminal.
"""

from dataclasses import replace
from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.action import ref_code
from pendesk.domain.agent_session import AgentSession, Relation
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.event import Event
from pendesk.domain.event_data import ActionOverlappedData, ActionReviewedData, MessageSentData, parse_event_data
from pendesk.domain.limits import NEWS_CHARS, NEWS_ITEMS, NEWS_LINE_COMMENTS_CHARS, NEWS_TOKENS
from pendesk.domain.message import DeliveryChannel, message_as_read, quoted_if_like_message
from pendesk.domain.news import MORE_COMMENTS, is_edit_news, line_comment_text, news_text
from pendesk.operations.availability import visible_refs
from pendesk.operations.caller_session import find_session
from pendesk.operations.comments.comment_results import CommentText
from pendesk.operations.comments.mention_news import mention_news
from pendesk.operations.messages.deliver import acknowledging_tool, record_deliveries
from pendesk.operations.operation import Call, Output, encode_json
from pendesk.operations.truncate import estimate_token_upper_bound
from pendesk.store import claims, mentions, reviews, session_news
from pendesk.store.engine.json_text import from_json
from pendesk.store.session_news import NewsEvent

HIDDEN_ACTION = "Another action"
COMMENTED = ("comment.added", "comment.edited")


class NewsItem(Output):
    """Something a person did since the session's last call: a verdict, an answer, a claim released, a message (kind
    message.sent, which nobody but a person writes), a comment that mentions the agent, whose words are under untrusted.
    """

    kind: str
    at: str
    object_id: str
    text: str
    ref_code: str | None = None
    untrusted: CommentText | None = None

    def as_plain_text(self) -> str:
        if self.untrusted is None:
            return self.text
        return "\n".join([f"{self.text} untrusted:", *(f"> {line}" for line in self.untrusted.body.splitlines())])


def tell_holder(call: Call, claim: Claim | None, event_id: int) -> None:
    """The event is news to the session that holds the claim, or has submitted by it."""
    if claim is not None and claim.session_id is not None:
        session_news.add(call.tx, claim.session_id, event_id)


def record_edit(call: Call, facts: ActionFacts, event: Event) -> None:
    """By a person, it is news to the agent that works from what was edited."""
    if call.actor.token_id is None and is_edit_news(event.kind, facts):
        tell_holder(call, facts.claim, call.record_returning_id(event))
    else:
        call.record(event)


def pop_unread_news(call: Call, facts: ActionFacts) -> list[NewsItem]:
    """For a write: what the caller has not read yet. It has, by that."""
    queued = _unread_of_session(call, call.agent_session)
    of_action = _unread_of_action(call, facts)
    entries = _first_items_within_limit(call, sorted({event.id: event for event in queued + of_action}.values()))
    read_ids = {entry.event.id for entry in entries}
    claim = facts.claim
    if claim is not None and (of_action_ids := [event.id for event in of_action if event.id in read_ids]):
        claims.save_last_delivered_event(call.tx, claim.id, of_action_ids[-1])
    return _take(call, call.agent_session, queued, entries, "tool")


def unread_news(call: Call) -> list[NewsItem]:
    """For a read, which cannot mark them as read: the dispatcher does, by `pop_news_of_session`, once it succeeded."""
    session = find_session(call.tx, call.actor)
    if session is None or not session.has_news:
        return []
    unread = session_news.unread_of_session(call.tx, session.id, NEWS_ITEMS)
    return [entry.item for entry in _first_items_within_limit(call, unread) if entry.item is not None]


def pop_news_of_session(
    call: Call, session: AgentSession | None, delivered_by: DeliveryChannel = "tool"
) -> list[NewsItem]:
    queued = _unread_of_session(call, session)
    return _take(call, session, queued, _first_items_within_limit(call, queued), delivered_by) if queued else []


class _Entry(NamedTuple):
    """An event with what is told of it; None where that is nothing."""

    event: NewsEvent
    item: NewsItem | None


def _unread_of_session(call: Call, session: AgentSession | None) -> list[NewsEvent]:
    if session is None or not session.has_news:
        return []
    return session_news.unread_of_session(call.tx, session.id, NEWS_ITEMS)


def is_addressed(facts: ActionFacts) -> bool:
    """What is news to the holder of the action is in the caller's own queue."""
    return facts.claim is not None and facts.claim.session_id is not None and facts.relation == Relation.SAME


def _unread_of_action(call: Call, facts: ActionFacts) -> list[NewsEvent]:
    """For callers that may or may not be the session it is addressed to, and for people who hold it in person."""
    action, claim = facts.action, facts.claim
    if claim is None or is_addressed(facts) or not facts.is_callers or action.news_event_id <= claim.told_event_id:
        return []
    return session_news.of_action(call.tx, action.id, claim.told_event_id, NEWS_ITEMS)


def _first_items_within_limit(call: Call, unread: list[NewsEvent]) -> list[_Entry]:
    """As many as an answer has room for, each whole, and at least one; the others come with the next call."""
    entries: list[_Entry] = []
    room = NEWS_TOKENS
    for event in unread:
        item = _item(call, event)
        room -= estimate_token_upper_bound(encode_json(item)) if item is not None else 0
        if room < 0 and any(entry.item for entry in entries):
            break
        entries.append(_Entry(event, item))
    return entries


def _take(
    call: Call,
    session: AgentSession | None,
    queued: list[NewsEvent],
    entries: list[_Entry],
    delivered_by: DeliveryChannel,
) -> list[NewsItem]:
    """Out of the queue, and what is told by that: not what another call took meanwhile, nor messages that are gone."""
    queued_ids = {event.id for event in queued} & {entry.event.id for entry in entries}
    if session is None or not queued_ids:
        return [entry.item for entry in entries if entry.item is not None]
    taken_ids = session_news.take(call.tx, session.id, sorted(queued_ids))
    entries = [entry for entry in entries if entry.event.id in taken_ids or entry.event.id not in queued_ids]
    mentioned_in = [
        entry.event.id for entry in entries if entry.event.id in taken_ids and entry.event.kind in COMMENTED
    ]
    if mentioned_in:
        mentions.mark_told(call.tx, session.agent_id, mentioned_in)
    message_ids = {
        entry.event.object_id for entry in entries if entry.event.id in taken_ids and entry.event.kind == "message.sent"
    }
    delivered = record_deliveries(call, session, message_ids, delivered_by) if message_ids else set()
    gone = message_ids - delivered
    return [entry.item for entry in entries if entry.item is not None and entry.event.object_id not in gone]


def _item(call: Call, event: NewsEvent) -> NewsItem | None:
    if event.kind in COMMENTED:
        return _mention_item(call, event)
    text = _text(call, event)
    if text is None:
        return None
    return NewsItem(kind=event.kind, at=to_iso(event.at), object_id=event.object_id, text=text, ref_code=_ref(event))


def _mention_item(call: Call, event: NewsEvent) -> NewsItem | None:
    news = mention_news(call, event.object_id)
    if news is None:
        return None
    text, at = quoted_if_like_message(news.text), to_iso(event.at)
    return NewsItem(
        kind=event.kind, at=at, object_id=event.object_id, text=text, ref_code=_ref(event), untrusted=news.words
    )


def _text(call: Call, event: NewsEvent) -> str | None:
    data, person = parse_event_data(event.kind, from_json(event.data)), event.person or "A person"
    if isinstance(data, MessageSentData):
        return message_as_read(person, event.at, data.text, acknowledging_tool(call.actor))
    if isinstance(data, ActionOverlappedData) and not visible_refs(call, [data.other_id]):
        data = replace(data, other=HIDDEN_ACTION)
    text = news_text(event.kind, data, _ref(event), person, event.at)
    if text is None:
        return None
    text = text[:NEWS_CHARS]  # the brief has all of it
    return text + _line_comments(call, event.object_id) if isinstance(data, ActionReviewedData) else text


def _line_comments(call: Call, review_id: str) -> str:
    """What the reviewer said about lines of the change, with the lines: the first of them, as many as fit."""
    commented = [item for item in reviews.items_of(call.tx, review_id) if item.path is not None]
    text = ""
    for item in commented:
        entry = quoted_if_like_message(line_comment_text(item))
        if len(text) + len(entry) > NEWS_LINE_COMMENTS_CHARS:
            return f"{text}\n{MORE_COMMENTS}"
        text += f"\n{entry}"
    return text


def _ref(event: NewsEvent) -> str | None:
    if event.project_key is None or event.ref_number is None:
        return None
    return ref_code(event.project_key, event.ref_number)
