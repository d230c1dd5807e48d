"""Messages as people see them: to whom, and who has read and acknowledged them."""

from pendesk.clock import to_iso
from pendesk.domain.action import ref_code
from pendesk.domain.message import MessageDelivery
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import agent_sessions, messages
from pendesk.store.messages import MessageRow


class DeliveryResult(Output):
    """state: queued, delivered or acknowledged. by: hook (between two steps) or tool (with the result of a call)."""

    session_id: str
    session: str
    state: str
    delivered_at: str | None = None
    by: str | None = None
    acknowledged_at: str | None = None
    acknowledgement: str | None = None


class MessageResult(Output):
    """to: the session's name, the action's ref code or the project's key, as toKind says. Without deliveries it waits
    for whoever claims the action next.
    """

    pid: str
    text: str
    author: str
    author_id: str
    sent_at: str
    to: str
    to_kind: str
    to_id: str
    deliveries: list[DeliveryResult]
    cancelled_at: str | None = None


def message_results(call: Call, rows: list[MessageRow]) -> list[MessageResult]:
    deliveries = messages.deliveries_of(call.tx, [row.message.id for row in rows])
    session_ids = {delivery.session_id for delivery in deliveries} | {row.message.session_id for row in rows}
    names = agent_sessions.labels_by_id(call.tx, session_ids)
    return [
        _message_result(row, [delivery for delivery in deliveries if delivery.message_id == row.message.id], names)
        for row in rows
    ]


def _message_result(
    row: MessageRow, deliveries: list[MessageDelivery], name_by_session_id: dict[str, str]
) -> MessageResult:
    message = row.message
    kind, to_id, to = _recipient(row, name_by_session_id)
    return MessageResult(
        pid=message.id,
        text=message.text,
        author=row.author,
        author_id=message.author_id,
        sent_at=to_iso(message.sent_at),
        to=to,
        to_kind=kind,
        to_id=to_id,
        deliveries=[_delivery_result(delivery, name_by_session_id) for delivery in deliveries],
        cancelled_at=to_iso_or_none(message.cancelled_at),
    )


def _recipient(row: MessageRow, name_by_session_id: dict[str, str]) -> tuple[str, str, str]:
    """Its kind, id and name."""
    message, key = row.message, row.project_key or ""
    if message.session_id is not None:
        return "session", message.session_id, name_by_session_id.get(message.session_id, "")
    if message.action_id is not None and row.ref_number is not None:
        return "action", message.action_id, ref_code(key, row.ref_number)
    return "project", message.project_id or "", key


def _delivery_result(delivery: MessageDelivery, name_by_session_id: dict[str, str]) -> DeliveryResult:
    return DeliveryResult(
        session_id=delivery.session_id,
        session=name_by_session_id.get(delivery.session_id, ""),
        state=delivery.state,
        delivered_at=to_iso_or_none(delivery.delivered_at),
        by=delivery.delivered_by,
        acknowledged_at=to_iso_or_none(delivery.acknowledged_at),
        acknowledgement=delivery.acknowledgement,
    )
