"""set_github_webhook: a secret for GitHub to sign its calls with, new each time, shown once."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.github import Webhook, derive_webhook_secret
from pendesk.operations.access.accounts import owner_id_for_new_item
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import github

EVENTS = ["push", "pull_request", "check_run", "check_suite", "workflow_run", "status"]


class SetGithubWebhook(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    project_id: ProjectId


class WebhookSet(Output):
    """What to enter in the repository's settings under Webhooks."""

    payload_url: str
    content_type: str
    secret: str
    events: list[str]


def run(call: Call, args: SetGithubWebhook) -> WebhookSet:
    owner_id = owner_id_for_new_item(call, "github_webhook")
    project = find_and_lock_project(call, args.project_id)
    if project.repository_url is None:
        raise RuleBroken(
            f"{project.key} has no repository, so nothing would be accepted from one. Set its repository_url with "
            "update_project first.",
            code="repository_missing",
            person_message=f"{project.key} has no repository, so nothing would be accepted from one. Add it "
            "in the project settings first.",
        )
    github.lock_webhook(call.tx, project.id)
    known = github.webhook(call.tx, project.id)
    generation = known.generation + 1 if known else 1
    last_number = known.last_number if known else 0
    hook = Webhook(project.id, generation, call.actor.user_id, call.now, None, last_number, owner_id)
    github.add_or_replace_webhook(call.tx, hook)
    call.record(Event("webhook.set", project.id, project.id, data={"replaced": generation > 1}))
    return WebhookSet(
        payload_url=github_webhook_url(call, project.id),
        content_type="application/json",
        secret=derive_webhook_secret(call.installation.signing_key, call.actor.workspace_id, project.id, generation),
        events=EVENTS,
    )


def github_webhook_url(call: Call, project_id: str) -> str:
    return f"{call.installation.public_url}/webhooks/github/{project_id}"


OPERATION = Operation(
    name="set_github_webhook",
    title="Set up the GitHub webhook",
    description=(
        "Make the secret with which GitHub signs its calls about this project's repository, or replace it: the old "
        "one stops working at once. The secret is in this answer and never shown again; enter it in the repository's "
        "webhook settings. Refused: 403 not an admin, 422 the project has no repository."
    ),
    input=SetGithubWebhook,
    output=WebhookSet,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
