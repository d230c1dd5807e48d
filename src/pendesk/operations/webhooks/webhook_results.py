"""What callers are told of a webhook and of its deliveries."""

from pendesk.clock import to_iso
from pendesk.domain.errors import NotFound
from pendesk.domain.webhook import OutgoingWebhook, WebhookDelivery
from pendesk.ids import parse_id
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import people, webhooks
from pendesk.store.engine.json_text import from_json


class WebhookResult(Output):
    """Never the secret: that is shown once, when it is made. nextTryAt: where the last try failed."""

    webhook_id: str
    url: str
    format: str
    kinds: list[str]
    project_id: str | None
    state: str
    created_by: str
    created_by_name: str
    owner_id: str
    owner_name: str
    created_at: str
    failing_since: str | None = None
    next_try_at: str | None = None


class DeliveryResult(Output):
    """deliveryId: the same whenever it is sent again. status: the receiver's."""

    number: int
    delivery_id: str
    kind: str
    state: str
    attempts: int
    made_at: str
    seq: int | None = None
    status: int | None = None
    error: str = ""
    tried_at: str | None = None


def webhook_results(call: Call, hooks: list[OutgoingWebhook]) -> list[WebhookResult]:
    names = people.names_by_user_id(
        call.tx, [user_id for hook in hooks for user_id in (hook.created_by, hook.owner_id)]
    )
    return [_webhook_result(hook, names) for hook in hooks]


def _webhook_result(hook: OutgoingWebhook, name_by_user_id: dict[str, str]) -> WebhookResult:
    return WebhookResult(
        webhook_id=hook.id,
        url=hook.url,
        format=hook.format,
        kinds=from_json(hook.kinds),
        project_id=hook.project_id,
        state=hook.state,
        created_by=hook.created_by,
        created_by_name=name_by_user_id.get(hook.created_by, ""),
        owner_id=hook.owner_id,
        owner_name=name_by_user_id.get(hook.owner_id, ""),
        created_at=to_iso(hook.created_at),
        failing_since=to_iso_or_none(hook.failing_since),
        next_try_at=to_iso(hook.next_at) if hook.attempts and hook.state == "active" else None,
    )


def delivery_result(delivery: WebhookDelivery) -> DeliveryResult:
    return DeliveryResult(
        number=delivery.number,
        delivery_id=delivery.delivery_id,
        kind=delivery.kind,
        state=delivery.state,
        attempts=delivery.attempts,
        made_at=to_iso(delivery.made_at),
        seq=delivery.seq,
        status=delivery.status,
        error=delivery.error,
        tried_at=to_iso_or_none(delivery.tried_at),
    )


def find_webhook(call: Call, webhook_id: str) -> OutgoingWebhook:
    pid = parse_id(webhook_id)
    hook = webhooks.by_id(call.tx, pid) if pid else None
    if hook is None:
        raise NotFound("webhook", webhook_id)
    return hook


def find_and_lock_webhook(call: Call, webhook_id: str) -> OutgoingWebhook:
    webhooks.lock(call.tx, find_webhook(call, webhook_id).id)
    return find_webhook(call, webhook_id)
