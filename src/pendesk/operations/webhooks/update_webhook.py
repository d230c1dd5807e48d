"""update_webhook: another address, filter or secret; pause it, or go on."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_filter import expand_kind_patterns
from pendesk.domain.webhook import OutgoingWebhook, WebhookFormat, derive_webhook_secret
from pendesk.operations.fields import IdentOrNone, Kinds, TargetUrl, WebhookId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import no_op_finish
from pendesk.operations.projects.find import find_project
from pendesk.operations.webhooks.webhook_address import check_webhook_address
from pendesk.operations.webhooks.webhook_results import WebhookResult, find_and_lock_webhook, webhook_results
from pendesk.store import events, webhooks
from pendesk.store.engine.json_text import to_json


class UpdateWebhook(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    webhook_id: WebhookId
    url: TargetUrl | None = None
    format: WebhookFormat | None = None
    kinds: Kinds | None = None
    project_id: Annotated[IdentOrNone, Meta(description="Its pid or key; empty for every project.")] | None = None
    state: Literal["active", "paused"] | None = None
    skip_missed: Annotated[bool, Meta(description="Go on from now, without what was not delivered.")] = False
    new_secret: Annotated[bool, Meta(description="Make a new secret; the old one signs nothing any more.")] = False


class WebhookUpdated(Output):
    """secret: only if a new one was asked for."""

    webhook: WebhookResult
    secret: str | None = None


def prepare(_call: Call, args: UpdateWebhook) -> str | None:
    return args.url


def record(call: Call, args: UpdateWebhook, _url: str | None, _allowed: None) -> WebhookUpdated:
    hook = find_and_lock_webhook(call, args.webhook_id)
    changed = _apply_changes(call, hook, args)
    webhooks.save(call.tx, changed)
    fields = [name for name in OutgoingWebhook._fields if getattr(hook, name) != getattr(changed, name)]
    call.record(Event("outgoing_webhook.edited", hook.id, changed.project_id, data={"changed": fields}))
    secret = derive_webhook_secret(call.installation.signing_key, call.actor.workspace_id, hook.id, changed.generation)
    return WebhookUpdated(webhook=webhook_results(call, [changed])[0], secret=secret if args.new_secret else None)


def _apply_changes(call: Call, hook: OutgoingWebhook, args: UpdateWebhook) -> OutgoingWebhook:
    new: dict[str, Any] = {name: getattr(args, name) for name in ("url", "format", "state")}
    if args.kinds is not None:
        expand_kind_patterns(args.kinds, "kinds")
        new["kinds"] = to_json(args.kinds)
    changed = hook._replace(**{name: value for name, value in new.items() if value is not None})
    if args.project_id is not None:
        changed = changed._replace(project_id=find_project(call, args.project_id).id if args.project_id else None)
    if args.new_secret:
        changed = changed._replace(generation=hook.generation + 1)
    if args.skip_missed:
        changed = changed._replace(cursor=events.last_seq(call.tx))
    # Whoever changes something wants to see at once whether it helped.
    return changed._replace(attempts=0, failing_since=None, next_at=call.now)


OPERATION = Operation(
    name="update_webhook",
    title="Update a webhook",
    description=(
        "Change a webhook's address, format, kinds, project or secret; pause it, or make one that was paused or "
        "failing active: it goes on where it stopped, unless skip_missed. Refused: 403 not an admin, 404 no such "
        "webhook or project, 422 an unknown kind, an address that is not called from here."
    ),
    input=UpdateWebhook,
    output=WebhookUpdated,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=check_webhook_address, record=record, finish=no_op_finish),
)
