"""get_github_webhook: whether GitHub calls about a project, and what it delivered lately."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.github import Delivery
from pendesk.domain.limits import DELIVERIES_SHOWN
from pendesk.operations.fields import ProjectId
from pendesk.operations.github.set_github_webhook import EVENTS, github_webhook_url
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import github, people


class GetGithubWebhook(Input):
    project_id: ProjectId


class DeliveryRow(Output):
    delivery_id: str
    event: str
    outcome: str
    received_at: str


class WebhookView(Output):
    """Never the secret: that is shown once, when it is made."""

    is_set: bool
    payload_url: str
    repository_url: str | None
    events: list[str]
    deliveries: list[DeliveryRow]
    set_by: str | None = None
    owner_name: str | None = None
    set_at: str | None = None


def run(call: Call, args: GetGithubWebhook) -> WebhookView:
    project = find_project(call, args.project_id)
    hook = github.webhook(call.tx, project.id)
    live = hook if hook is not None and hook.removed_at is None else None
    deliveries = github.newest_deliveries(call.tx, project.id, DELIVERIES_SHOWN)
    names = people.names_by_user_id(call.tx, [live.set_by, live.owner_id]) if live else {}
    return WebhookView(
        is_set=live is not None,
        payload_url=github_webhook_url(call, project.id),
        repository_url=project.repository_url,
        events=EVENTS,
        deliveries=[to_delivery_row(delivery) for delivery in deliveries],
        set_by=names.get(live.set_by) if live else None,
        owner_name=names.get(live.owner_id) if live else None,
        set_at=to_iso(live.set_at) if live else None,
    )


def to_delivery_row(delivery: Delivery) -> DeliveryRow:
    return DeliveryRow(
        delivery_id=delivery.delivery_id,
        event=delivery.event,
        outcome=delivery.outcome,
        received_at=to_iso(delivery.received_at),
    )


OPERATION = Operation(
    name="get_github_webhook",
    title="Read the GitHub webhook",
    description=(
        "Whether the project's repository calls here, the address to enter at GitHub, and the newest deliveries with "
        "what came of each. Never the secret. Refused: 404 no such project."
    ),
    input=GetGithubWebhook,
    output=WebhookView,
    scope=Scope.DESK_READ,
    role=Role.MEMBER,
    kind=Kind.READ,
    run=run,
)
