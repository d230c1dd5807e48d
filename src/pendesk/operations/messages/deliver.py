"""Messages on their way: who reads which, and that they were read and acknowledged."""

from collections.abc import Iterable

from pendesk.domain.access import Actor, Scope
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.event_data import MessageAcknowledgedData, MessageDeliveredData
from pendesk.domain.limits import ACKNOWLEDGEMENT_CHARS, MESSAGES_QUEUED
from pendesk.domain.message import DeliveryChannel, message_event
from pendesk.operations.operation import Call
from pendesk.store import messages, session_news


def acknowledging_tool(actor: Actor) -> str:
    """The report that a caller with these tools makes next."""
    return "update_progress" if Scope.BUILDS_WRITE in actor.scopes else "record_agent_progress or update_task"


def queue_for_session(call: Call, message_id: str, session_id: str, event_id: int) -> None:
    messages.add_delivery(call.tx, message_id, session_id)
    session_news.add(call.tx, session_id, event_id)


def take_messages_waiting_on_action(call: Call, action_id: str) -> None:
    """The calling session has claimed it, so what nobody has read yet is for it."""
    session = call.agent_session
    if session is None:
        return
    for waiting in messages.waiting_on_action(call.tx, action_id, MESSAGES_QUEUED):
        if waiting.session_id is not None:
            if waiting.session_id == session.id or not session_news.take(
                call.tx, waiting.session_id, [waiting.event_id]
            ):
                continue
            messages.remove_undelivered(call.tx, waiting.id, waiting.session_id)
        queue_for_session(call, waiting.id, session.id, waiting.event_id)
        call.agent_session = session._replace(has_news=True)


def read_ahead_messages_waiting_on_action(call: Call, action_id: str) -> None:
    messages.read_ahead_waiting_on_action(call.tx, action_id, MESSAGES_QUEUED)


def record_deliveries(
    call: Call, session: AgentSession, message_ids: Iterable[str], delivered_by: DeliveryChannel
) -> set[str]:
    """The ids of those that the session had not read yet."""
    delivered = messages.mark_delivered(call.tx, session.id, message_ids, delivered_by)
    for message in messages.by_ids(call.tx, delivered):
        event_data = MessageDeliveredData(session_id=session.id, by=delivered_by)
        call.record(message_event(message, "message.delivered", event_data))
    return delivered


def acknowledge_messages(call: Call, report: str) -> None:
    """What the session has read is acknowledged by its next report, whose beginning is shown to who wrote it."""
    session = call.agent_session
    if session is None or not _has_unacknowledged(call, session):
        return
    acknowledgement = report[:ACKNOWLEDGEMENT_CHARS]
    for message in messages.by_ids(call.tx, messages.acknowledge(call.tx, session.id, acknowledgement)):
        event_data = MessageAcknowledgedData(session_id=session.id, message=acknowledgement)
        call.record(message_event(message, "message.acknowledged", event_data))


def _has_unacknowledged(call: Call, session: AgentSession) -> bool:
    known = session.has_unacknowledged
    return known if known is not None else messages.has_unacknowledged(call.tx, session.id)
