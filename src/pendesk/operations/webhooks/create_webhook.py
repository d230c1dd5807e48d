"""create_webhook: tell another server of every change, signed."""

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_filter import expand_kind_patterns
from pendesk.domain.project import check_count_below_limit
from pendesk.domain.webhook import OutgoingWebhook, WebhookFormat, derive_webhook_secret
from pendesk.ids import new_id
from pendesk.operations.access.accounts import owner_id_for_new_item
from pendesk.operations.fields import Kinds, ProjectId, TargetUrl
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import no_op_finish
from pendesk.operations.projects.find import find_project
from pendesk.operations.webhooks.webhook_address import check_webhook_address
from pendesk.operations.webhooks.webhook_results import WebhookResult, webhook_results
from pendesk.store import events, webhooks
from pendesk.store.engine.json_text import to_json


class CreateWebhook(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    url: TargetUrl
    format: WebhookFormat = "json"
    kinds: Kinds = []
    project_id: ProjectId | None = None


class WebhookCreated(Output):
    secret: str
    webhook: WebhookResult


def prepare(_call: Call, args: CreateWebhook) -> str:
    return args.url


def record(call: Call, args: CreateWebhook, _url: str, _allowed: None) -> WebhookCreated:
    expand_kind_patterns(args.kinds, "kinds")
    owner_id = owner_id_for_new_item(call, "webhook")
    check_count_below_limit(webhooks.count(call.tx), limits.WEBHOOKS, "webhooks of this workspace", "Remove one first.")
    project_id = find_project(call, args.project_id).id if args.project_id is not None else None
    hook = OutgoingWebhook(
        id=new_id(),
        url=args.url,
        format=args.format,
        kinds=to_json(args.kinds),
        project_id=project_id,
        generation=1,
        state="active",
        cursor=events.last_seq(call.tx),
        attempts=0,
        failing_since=None,
        next_at=call.now,
        leased_by="",
        leased_until=0,
        last_number=0,
        created_by=call.actor.user_id,
        owner_id=owner_id,
        created_at=call.now,
    )
    webhooks.add(call.tx, hook)
    # Not the address: those of chat services are secrets themselves.
    call.record(Event("outgoing_webhook.created", hook.id, project_id, data={"format": hook.format}))
    secret = derive_webhook_secret(call.installation.signing_key, call.actor.workspace_id, hook.id, hook.generation)
    return WebhookCreated(secret=secret, webhook=webhook_results(call, [hook])[0])


OPERATION = Operation(
    name="create_webhook",
    title="Create a webhook",
    description=(
        "Send every change from now on to an address, as signed JSON or as a line of text for Slack; only some kinds, "
        "or one project, if told. The secret that signs is in this answer and never shown again. Then test_webhook. "
        "Refused: 403 not an admin, 404 no such project, 422 an unknown kind, too many webhooks, "
        "an address that is not called from here."
    ),
    input=CreateWebhook,
    output=WebhookCreated,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=check_webhook_address, record=record, finish=no_op_finish),
)
