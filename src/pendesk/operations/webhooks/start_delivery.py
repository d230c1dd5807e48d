"""start_delivery: what a webhook is sent next. The sending itself, and then finish_delivery, come after it.

Each webhook goes through the log in order, by its cursor. Whoever delivers holds its lease: one server at a time. One
that dies between sending and saving leaves the cursor where it was, so the event is sent again, with the same id.
"""

from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_filter import EventFilter, expand_kind_patterns
from pendesk.domain.event_visibility import PUBLIC_KINDS
from pendesk.domain.limits import WEBHOOK_LEASE_US
from pendesk.domain.webhook import OutgoingWebhook, WebhookDelivery, derive_webhook_secret, signature_header
from pendesk.operations.operation import Call, PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.webhooks.payloads import ping_body, webhook_body_for_event
from pendesk.store import events, webhooks
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx

EVENTS_AT_ONCE = 200


class StartDelivery(NamedTuple):
    """`server`: whose lease it is."""

    workspace_id: str
    webhook_id: str
    server: str


class OutgoingRequest(NamedTuple):
    """A request about to be sent. `number`: of the delivery that somebody asked for."""

    webhook_id: str
    url: str
    headers: dict[str, str]
    body: bytes
    delivery_id: str
    kind: str
    seq: int | None
    number: int | None


async def run(transactions: Transactions, args: StartDelivery) -> OutgoingRequest | None:
    def start(call: PrivilegedCall) -> OutgoingRequest | None:
        webhooks.lock(call.tx, args.webhook_id)
        hook = webhooks.by_id(call.tx, args.webhook_id)
        if hook is None or (hook.leased_by != args.server and hook.leased_until > call.now):
            return None
        hook, outgoing = _advance_to_next_request(call, hook)
        until = call.now + WEBHOOK_LEASE_US if outgoing is not None else 0
        webhooks.save(call.tx, hook._replace(leased_by=args.server, leased_until=until))
        return outgoing

    return await transactions.write(args.workspace_id, start)


def _advance_to_next_request(call: Call, hook: OutgoingWebhook) -> tuple[OutgoingWebhook, OutgoingRequest | None]:
    pending = webhooks.first_pending_delivery(call.tx, hook.id)
    if pending is not None:
        return hook, _pending_delivery_request(call, hook, pending)
    if hook.state != "active" or hook.next_at > call.now:
        return hook, None
    event, cursor = _next_event_and_cursor(call.tx, hook)
    moved = hook._replace(cursor=cursor)
    if event is None:
        return moved, None
    delivery_id = f"{hook.id}.{event.seq}"
    body = webhook_body_for_event(call, hook, delivery_id, event)
    return moved, _signed_request(call, hook, delivery_id, event.kind, event.seq, None, body)


def _pending_delivery_request(call: Call, hook: OutgoingWebhook, delivery: WebhookDelivery) -> OutgoingRequest:
    event = events.all_after_ignoring_visibility(call.tx, delivery.seq - 1, 1)[0] if delivery.seq is not None else None
    body = (
        webhook_body_for_event(call, hook, delivery.delivery_id, event)
        if event
        else ping_body(call, hook, delivery.delivery_id)
    )
    return _signed_request(call, hook, delivery.delivery_id, delivery.kind, delivery.seq, delivery.number, body)


def _next_event_and_cursor(tx: Tx, hook: OutgoingWebhook) -> tuple[LoggedEvent | None, int]:
    """The first one that its filter lets through, and up to where there is ndelivery.

    Who signs in and who is invited goes to a receiver only where an admin named those kinds: a channel has other
    readers than the log.
    """
    kinds = expand_kind_patterns(from_json(hook.kinds), "kinds") or PUBLIC_KINDS
    event_filter = EventFilter(project_id=hook.project_id or "", kinds=kinds)
    cursor = hook.cursor
    while page := events.all_after_ignoring_visibility(tx, cursor, EVENTS_AT_ONCE):
        for event in page:
            if event_filter.matches(event):
                return event, cursor
            cursor = event.seq
    return None, cursor


def _signed_request(
    call: Call,
    hook: OutgoingWebhook,
    delivery_id: str,
    event_kind: str,
    event_seq: int | None,
    delivery_number: int | None,
    body: bytes,
) -> OutgoingRequest:
    secret = derive_webhook_secret(call.installation.signing_key, call.actor.workspace_id, hook.id, hook.generation)
    headers = {
        "Content-Type": "application/json",
        "Pendesk-Delivery": delivery_id,
        "Pendesk-Event": event_kind,
        "Pendesk-Signature": signature_header(secret, call.now // MICROSECONDS, body),
    }
    return OutgoingRequest(hook.id, hook.url, headers, body, delivery_id, event_kind, event_seq, delivery_number)


OPERATION = ServerOperation(
    name="start_delivery",
    title="Start a delivery",
    description="Take a webhook's lease and what it is sent next; None if there is nothing, or another server has it.",
    input=StartDelivery,
    output=OutgoingRequest | None,
    run=run,
)
