"""How deliveries are made: what comes next, and what is kept of its outcome. The sending itself is in between.

Each webhook goes through the log in order, by its cursor. Whoever delivers holds its lease: one server at a time. One
that dies between sending and keeping leaves the cursor where it was, so the event is sent again, with the same id.
"""

from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import server
from pendesk.domain.event import Event, LoggedEvent
from pendesk.domain.event_filter import EventFilter, named_kinds
from pendesk.domain.event_visibility import PUBLIC_KINDS
from pendesk.domain.limits import WEBHOOK_LEASE_US
from pendesk.domain.webhook import (
    Outcome,
    OutgoingWebhook,
    WebhookDelivery,
    after_failure,
    after_success,
    signature,
    webhook_secret,
)
from pendesk.operations.operation import Call, Installation
from pendesk.operations.webhooks.payloads import event_body, ping_body
from pendesk.store import events, webhooks
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Tx

EVENTS_AT_ONCE = 200


class Outgoing(NamedTuple):
    """A request about to be made. `number`: of the delivery that somebody asked for by hand."""

    webhook_id: str
    url: str
    headers: dict[str, str]
    body: bytes
    delivery_id: str
    kind: str
    seq: int | None
    number: int | None


def begin(tx: Tx, installation: Installation, webhook_id: str, name: str) -> Outgoing | None:
    """Take the lease and what is to be sent next; None if there is nothing, or another server is at it."""
    webhooks.lock(tx, webhook_id)
    hook = webhooks.by_id(tx, webhook_id)
    if hook is None or (hook.leased_by != name and hook.leased_until > tx.now):
        return None
    call = Call(tx, server(tx.workspace), installation)
    hook, outgoing = _next(call, hook)
    until = tx.now + WEBHOOK_LEASE_US if outgoing is not None else 0
    webhooks.save(tx, hook._replace(leased_by=name, leased_until=until))
    return outgoing


def finish(tx: Tx, installation: Installation, sent: Outgoing, outcome: Outcome, name: str, share: float) -> bool:
    """Keep what came of it. False where it is no longer ours to say: removed, or another server took over."""
    webhooks.lock(tx, sent.webhook_id)
    hook = webhooks.by_id(tx, sent.webhook_id)
    if hook is None or hook.leased_by != name:
        return False
    if sent.number is not None or sent.seq is None:
        after = hook
    elif outcome.good:
        after = after_success(hook, tx.now, sent.seq)
    else:
        after = after_failure(hook, tx.now, sent.seq, outcome, share)
    kept = _kept(tx, hook, after, sent, outcome)
    webhooks.save(tx, after._replace(last_number=max(after.last_number, kept.number)))
    webhooks.save_delivery(tx, kept)
    if after.state == "failing" and hook.state == "active":
        call = Call(tx, server(tx.workspace), installation)
        call.record(Event("outgoing_webhook.failing", hook.id, hook.project_id, data={"status": outcome.status}))
    return True


def leave(tx: Tx, webhook_id: str, name: str) -> None:
    """Give the lease back before it lapses."""
    webhooks.lock(tx, webhook_id)
    hook = webhooks.by_id(tx, webhook_id)
    if hook is not None and hook.leased_by == name:
        webhooks.save(tx, hook._replace(leased_until=0))


def _next(call: Call, hook: OutgoingWebhook) -> tuple[OutgoingWebhook, Outgoing | None]:
    by_hand = webhooks.first_pending(call.tx, hook.id)
    if by_hand is not None:
        return hook, _by_hand(call, hook, by_hand)
    if hook.state != "active" or hook.next_at > call.now:
        return hook, None
    event, cursor = _next_event(call.tx, hook)
    moved = hook._replace(cursor=cursor)
    if event is None:
        return moved, None
    delivery_id = f"{hook.id}.{event.seq}"
    body = event_body(call, hook, delivery_id, event)
    return moved, _outgoing(call, hook, delivery_id, event.kind, event.seq, None, body)


def _by_hand(call: Call, hook: OutgoingWebhook, one: WebhookDelivery) -> Outgoing:
    event = events.after(call.tx, one.seq - 1, 1)[0] if one.seq is not None else None
    body = event_body(call, hook, one.delivery_id, event) if event else ping_body(call, hook, one.delivery_id)
    return _outgoing(call, hook, one.delivery_id, one.kind, one.seq, one.number, body)


def _next_event(tx: Tx, hook: OutgoingWebhook) -> tuple[LoggedEvent | None, int]:
    """The first one that is wanted, and up to where there is none.

    Who signs in and who is invited goes to a receiver only where an admin named those kinds: a channel has other
    readers than the log.
    """
    kinds = named_kinds(from_json(hook.kinds), "kinds") or PUBLIC_KINDS
    wanted = EventFilter(project_id=hook.project_id or "", kinds=kinds)
    cursor = hook.cursor
    while page := events.after(tx, cursor, EVENTS_AT_ONCE):
        for event in page:
            if wanted.lets(event):
                return event, cursor
            cursor = event.seq
    return None, cursor


def _outgoing(
    call: Call, hook: OutgoingWebhook, delivery_id: str, kind: str, seq: int | None, number: int | None, body: bytes
) -> Outgoing:
    secret = webhook_secret(call.installation.signing_key, call.actor.workspace_id, hook.id, hook.generation)
    headers = {
        "Content-Type": "application/json",
        "Pendesk-Delivery": delivery_id,
        "Pendesk-Event": kind,
        "Pendesk-Signature": signature(secret, call.now // MICROSECONDS, body),
    }
    return Outgoing(hook.id, hook.url, headers, body, delivery_id, kind, seq, number)


def _kept(tx: Tx, hook: OutgoingWebhook, after: OutgoingWebhook, sent: Outgoing, outcome: Outcome) -> WebhookDelivery:
    known = webhooks.delivery_by_id(tx, hook.id, sent.delivery_id)
    if outcome.good:
        state = "delivered"
    elif sent.number is None and after.state == "active" and after.cursor == hook.cursor:
        state = "retrying"
    else:
        state = "failed"
    return WebhookDelivery(
        webhook_id=hook.id,
        number=known.number if known else hook.last_number + 1,
        delivery_id=sent.delivery_id,
        seq=sent.seq,
        kind=sent.kind,
        state=state,
        attempts=known.attempts + 1 if known else 1,
        status=outcome.status,
        error=outcome.error,
        made_at=known.made_at if known else tx.now,
        tried_at=tx.now,
    )
