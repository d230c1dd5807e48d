"""get_integrations: everything that the workspace is joined to, in one answer: GitHub, and where its log is sent."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import DELIVERIES_SHOWN, PAGE_ROWS
from pendesk.operations.github.get_github_webhook import DeliveryRow, delivery_row
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, iso
from pendesk.operations.paging import PageCursor, parse_cursor, split_page
from pendesk.operations.webhooks.webhook_results import DeliveryResult, WebhookResult, delivery_result, webhook_results
from pendesk.store import github, webhooks


class GetIntegrations(Input):
    cursor: PageCursor | None = None


class ProjectHook(Output):
    """isSet: GitHub may call about the project. deliveries: the newest."""

    pid: str
    key: str
    name: str
    repository_url: str | None
    is_set: bool
    set_at: str | None
    owner_name: str | None
    deliveries: list[DeliveryRow]


class OutgoingHook(Output):
    webhook: WebhookResult
    deliveries: list[DeliveryResult]


class Integrations(Output):
    """outgoing is for admins; others get none."""

    projects: list[ProjectHook]
    outgoing: list[OutgoingHook]
    next_cursor: str | None = None


def run(call: Call, args: GetIntegrations) -> Integrations:
    rows = github.projects(call.tx, parse_cursor(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = split_page(rows, PAGE_ROWS, lambda row: row.id)
    return Integrations(
        projects=_projects(call, page),
        outgoing=_outgoing(call) if call.actor.role >= Role.ADMIN else [],
        next_cursor=next_cursor,
    )


def _projects(call: Call, page: list[github.ProjectHook]) -> list[ProjectHook]:
    newest = github.newest_of_projects(call.tx, [project.id for project in page], DELIVERIES_SHOWN)
    return [
        ProjectHook(
            pid=project.id,
            key=project.key,
            name=project.name,
            repository_url=project.repository_url,
            is_set=project.set_at is not None,
            set_at=iso(project.set_at),
            owner_name=project.owner_name,
            deliveries=[delivery_row(delivery) for delivery in newest.get(project.id, [])],
        )
        for project in page
    ]


def _outgoing(call: Call) -> list[OutgoingHook]:
    newest = webhooks.newest_deliveries(call.tx, DELIVERIES_SHOWN)
    return [
        OutgoingHook(
            webhook=hook, deliveries=[delivery_result(delivery) for delivery in newest.get(hook.webhook_id, [])]
        )
        for hook in webhook_results(call, webhooks.of_workspace(call.tx))
    ]


OPERATION = Operation(
    name="get_integrations",
    title="See every integration",
    description=(
        "The GitHub webhook of each project and, for admins, the outgoing webhooks, each with its newest deliveries. "
        "Never a secret. get_github_webhook and list_webhook_deliveries tell more of one. Refused: 403 not a member."
    ),
    input=GetIntegrations,
    output=Integrations,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.READ,
    run=run,
)
