"""remove_github_webhook: GitHub's calls about a project are refused from now on."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.github import Webhook
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import github


class RemoveGithubWebhook(Input):
    project_id: ProjectId


class WebhookRemoved(Output):
    removed: bool
    project_id: str


def run(call: Call, args: RemoveGithubWebhook) -> WebhookRemoved:
    project = find_and_lock_project(call, args.project_id)
    github.lock_webhook(call.tx, project.id)
    known = github.webhook(call.tx, project.id)
    if known is None or known.removed_at is not None:
        raise NotFound("webhook of", project.key)
    remove_webhook(call, known)
    return WebhookRemoved(removed=True, project_id=project.id)


def remove_webhook(call: Call, hook: Webhook) -> None:
    if hook.removed_at is None:
        github.remove_webhook(call.tx, hook.project_id)
        call.record(Event("webhook.removed", hook.project_id, hook.project_id))


OPERATION = Operation(
    name="remove_github_webhook",
    title="Remove the GitHub webhook",
    description=(
        "Refuse GitHub's calls about this project from now on; what they brought stays. set_github_webhook makes a "
        "new secret later. Refused: 403 not an admin, 404 there is none."
    ),
    input=RemoveGithubWebhook,
    output=WebhookRemoved,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
