"""What every delivery of GitHub goes through: its project is found and locked, its repository fits, it is new."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.errors import Conflict, Forbidden, NotFound
from pendesk.domain.github import Delivery, Webhook, is_same_repository
from pendesk.domain.limits import LABEL_CHARS
from pendesk.domain.project import Project
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Output
from pendesk.store import github, projects

REPEATED = "This delivery came before; nothing was done again."
Sha = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]


class DeliveryInput(Input):
    """`digest` is that of the signed body: the delivery's id is a header that nobody signs."""

    project_id: Ident
    delivery_id: Annotated[str, Meta(min_length=1, max_length=64)]
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    event: Annotated[str, Meta(min_length=1, max_length=64)]
    repository: Annotated[str, Meta(max_length=250, description="owner/name")]


class Received(Output):
    outcome: str
    repeated: bool = False


class DeliveryInProgress:
    """A delivery under way: the project it is about, and how it is closed."""

    def __init__(self, call: Call, args: DeliveryInput, hook: Webhook, project: Project) -> None:
        self.call = call
        self.args = args
        self.hook = hook
        self.project = project

    def record_outcome(self, outcome: str) -> Received:
        delivery = Delivery(
            project_id=self.project.id,
            number=self.hook.last_number + 1,
            delivery_id=self.args.delivery_id,
            digest=self.args.digest,
            event=self.args.event,
            outcome=outcome[:LABEL_CHARS],
            received_at=self.call.now,
        )
        github.add_delivery_and_prune_old(self.call.tx, delivery)
        return Received(outcome=delivery.outcome)


def begin_delivery_unless_repeated(call: Call, args: DeliveryInput) -> DeliveryInProgress | None:
    """None where it came before."""
    github.lock_webhook(call.tx, args.project_id)
    hook = github.webhook(call.tx, args.project_id)
    project = projects.by_id(call.tx, args.project_id)
    if hook is None or project is None or hook.removed_at is not None:
        raise NotFound("webhook")
    if not is_same_repository(project.repository_url, args.repository):
        raise Forbidden(
            "This webhook belongs to another repository than the project's. Set the project's repository_url, or "
            "add the webhook to the right repository.",
            code="foreign_repository",
        )
    known = github.deliveries_with_id_or_digest(call.tx, project.id, args.delivery_id, args.digest)
    if any(delivery.digest == args.digest for delivery in known):
        return None
    if known:
        # Somebody between GitHub and here changed it, or made it up: GitHub gives each body an id of its own.
        raise Conflict(
            f"The delivery {args.delivery_id} came before with another body, so this one was not used. If GitHub sent "
            "it, see what between GitHub and this server changes X-GitHub-Delivery, then redeliver it.",
            code="delivery_id_reused",
        )
    return DeliveryInProgress(call, args, hook, project)


def repeated_delivery_result() -> Received:
    return Received(outcome=REPEATED, repeated=True)
