"""What people decided about an agent's work: a verdict, an answer, a claim that they released.

It is addressed to the session whose work it was, and told with that session's next call, whatever that is about: once.
A caller whom nothing tells apart from others (no marks) hears it with any call, and whoever then calls about the action
itself once more, since the first may have been another terminal.
"""

from pendesk.clock import to_iso
from pendesk.domain.action import ref_code
from pendesk.domain.agent_session import AgentSession, Relation
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.event_data import parse_event_data
from pendesk.domain.limits import NEWS_CHARS, NEWS_ITEMS
from pendesk.domain.news import news_text
from pendesk.operations.caller_session import find_session
from pendesk.operations.operation import Call, Output
from pendesk.store import claims, session_news
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx
from pendesk.store.session_news import NewsEvent


class NewsItem(Output):
    """Something a person did since the session's last call: a verdict, an answer, a claim released."""

    kind: str
    at: str
    object_id: str
    text: str
    ref_code: str | None = None


def tell_holder(call: Call, claim: Claim | None, event_seq: int) -> None:
    """The event is news to the session that holds the claim, or has submitted by it."""
    if claim is not None and claim.session_id is not None:
        session_news.add(call.tx, claim.session_id, event_seq)


def pop_unread_news(call: Call, facts: ActionFacts) -> list[NewsItem]:
    """For a write: what the caller has not read yet. It has, by that."""
    news = _pop_of_session(call.tx, call.agent_session) + _pop_of_action(call, facts)
    return _items(sorted({event.seq: event for event in news}.values()))


def unread_news(call: Call) -> list[NewsItem]:
    """For a read, which cannot mark them as read: the dispatcher does, by `pop_news_of_session`, once it succeeded."""
    session = find_session(call.tx, call.actor)
    if session is None or not session.has_news:
        return []
    return _items(session_news.unread_of_session(call.tx, session.id, NEWS_ITEMS))


def pop_news_of_session(tx: Tx, session: AgentSession | None) -> list[NewsItem]:
    return _items(_pop_of_session(tx, session))


def _pop_of_session(tx: Tx, session: AgentSession | None) -> list[NewsEvent]:
    if session is None or not session.has_news:
        return []
    return session_news.pop_unread_of_session(tx, session.id, NEWS_ITEMS)


def _pop_of_action(call: Call, facts: ActionFacts) -> list[NewsEvent]:
    """For callers that may or may not be the session it is addressed to, and for people who hold it in person."""
    action, claim = facts.action, facts.claim
    is_addressed = claim is not None and claim.session_id is not None and facts.relation == Relation.SAME
    if claim is None or is_addressed or not facts.is_callers or action.news_seq <= claim.told_seq:
        return []
    news = session_news.of_action(call.tx, action.id, claim.told_seq, NEWS_ITEMS)
    if news:
        claims.save_last_delivered_event_seq(call.tx, claim.id, news[-1].seq)
    return news


def _items(events: list[NewsEvent]) -> list[NewsItem]:
    pairs = [(event, _text(event)) for event in events]
    return [_item(event, text) for event, text in pairs if text is not None]


def _text(event: NewsEvent) -> str | None:
    return news_text(
        parse_event_data(event.kind, from_json(event.data)), _ref(event), event.person or "A person", event.at
    )


def _ref(event: NewsEvent) -> str | None:
    if event.project_key is None or event.ref_number is None:
        return None
    return ref_code(event.project_key, event.ref_number)


def _item(event: NewsEvent, text: str) -> NewsItem:
    return NewsItem(
        kind=event.kind,
        at=to_iso(event.at),
        object_id=event.object_id,
        text=text[:NEWS_CHARS],  # the brief has all of it
        ref_code=_ref(event),
    )
