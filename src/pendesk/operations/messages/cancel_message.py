"""cancel_message: what no agent has read yet is not read any more."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.message import Message, MessageDelivery, check_may_cancel, check_not_yet_delivered, message_event
from pendesk.operations.fields import Ident
from pendesk.operations.messages.find import find_and_lock_message
from pendesk.operations.messages.message_results import MessageResult, message_results
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import messages, session_news


class CancelMessage(Input):
    message_id: Annotated[Ident, Meta(description="Its pid from list_messages.")]


def run(call: Call, args: CancelMessage) -> MessageResult:
    row = find_and_lock_message(call, args.message_id)
    message = row.message
    check_may_cancel(message, call.actor)
    _take_from_queues(call, message)  # from here on nobody reads it; whoever is about to has been waited for
    deliveries = _take_from_queues(call, message)  # of a session that was merged meanwhile, from the other's
    check_not_yet_delivered(deliveries)
    for delivery in deliveries:
        messages.remove_undelivered(call.tx, message.id, delivery.session_id)
    messages.cancel(call.tx, message.id)
    call.record(message_event(message, "message.cancelled", {}))
    return message_results(call, [row._replace(message=message._replace(cancelled_at=call.now))])[0]


def _take_from_queues(call: Call, message: Message) -> list[MessageDelivery]:
    deliveries = messages.deliveries_of(call.tx, [message.id])
    for delivery in deliveries:
        session_news.take(call.tx, delivery.session_id, [message.event_id])
    return deliveries


OPERATION = Operation(
    name="cancel_message",
    title="Cancel a message",
    description=(
        "Take a message to agents out of the queue of all who have not read it yet. By who wrote it, or an admin. "
        "Refused: 422 every agent it was for has read it, 403 another wrote it."
    ),
    input=CancelMessage,
    output=MessageResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
