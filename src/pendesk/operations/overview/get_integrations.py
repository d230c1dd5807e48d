"""get_integrations: everything that the workspace is joined to, in one answer: GitHub, and where its log is sent."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import DELIVERIES_SHOWN, PAGE_ROWS
from pendesk.operations.github.get_github_webhook import DeliveryRow, to_delivery_row
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.webhooks.webhook_results import DeliveryResult, WebhookResult, delivery_result, webhook_results
from pendesk.store import github, webhooks


class GetIntegrations(Input):
    cursor: PageCursor | None = None


class TokenState(Output):
    """checked_at: when GitHub last answered to it. problem: why it did not accept it."""

    set_at: str
    checked_at: str | None = None
    problem: str | None = None


class ProjectHook(Output):
    """isSet: GitHub may call about the project. deliveries: the newest. token: where the server reads from GitHub."""

    pid: str
    key: str
    name: str
    repository_url: str | None
    is_set: bool
    set_at: str | None
    owner_name: str | None
    deliveries: list[DeliveryRow]
    token: TokenState | None = None


class OutgoingHook(Output):
    webhook: WebhookResult
    deliveries: list[DeliveryResult]


class Integrations(Output):
    """outgoing is for admins; others get none."""

    projects: list[ProjectHook]
    outgoing: list[OutgoingHook]
    next_cursor: str | None = None


def run(call: Call, args: GetIntegrations) -> Integrations:
    rows = github.projects_with_webhook_status(call.tx, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda row: row.id)
    return Integrations(
        projects=_github_hooks_with_deliveries(call, page),
        outgoing=_outgoing_hooks(call) if call.actor.role >= Role.ADMIN else [],
        next_cursor=next_cursor,
    )


def _github_hooks_with_deliveries(call: Call, webhook_statuses: list[github.ProjectWebhookStatus]) -> list[ProjectHook]:
    newest = github.newest_deliveries_by_project(
        call.tx, [project.id for project in webhook_statuses], DELIVERIES_SHOWN
    )
    return [
        ProjectHook(
            pid=project.id,
            key=project.key,
            name=project.name,
            repository_url=project.repository_url,
            is_set=project.set_at is not None,
            set_at=to_iso_or_none(project.set_at),
            owner_name=project.owner_name,
            deliveries=[to_delivery_row(delivery) for delivery in newest.get(project.id, [])],
            token=_token_state(project),
        )
        for project in webhook_statuses
    ]


def _token_state(project: github.ProjectWebhookStatus) -> TokenState | None:
    if project.token_set_at is None:
        return None
    return TokenState(
        set_at=to_iso(project.token_set_at),
        checked_at=to_iso_or_none(project.token_checked_at),
        problem=project.token_problem,
    )


def _outgoing_hooks(call: Call) -> list[OutgoingHook]:
    newest = webhooks.newest_deliveries_by_webhook_id(call.tx, DELIVERIES_SHOWN)
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
        "The GitHub webhook and token of each project and, for admins, the outgoing webhooks, with the newest "
        "deliveries. Never a secret. get_github_webhook and list_webhook_deliveries tell more of one. Refused: 403 not "
        "a member."
    ),
    input=GetIntegrations,
    output=Integrations,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.READ,
    run=run,
)
