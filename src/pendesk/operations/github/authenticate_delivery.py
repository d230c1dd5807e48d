"""authenticate_delivery: the project's webhook whose secret signed a call of GitHub's.

By the project in the address, or else by the repository in the payload: the signature decides among them. Nothing is
believed, and nothing about any project shown, before the signature over the raw body is good.
"""

from typing import NamedTuple

from pendesk.domain.errors import Forbidden
from pendesk.domain.github import derive_webhook_secret, is_valid_webhook_signature, repository_url_variants
from pendesk.domain.limits import PROJECTS_PER_REPOSITORY
from pendesk.ids import parse_id
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import github
from pendesk.store.github import WebhookCandidate


class AuthenticateDelivery(NamedTuple):
    """`project_id` is None where the address names none; `repository` is its page on GitHub, empty if unknown."""

    project_id: str | None
    repository: str
    body: bytes
    signature: str


def check(_installation: Installation, args: AuthenticateDelivery) -> Match[list[WebhookCandidate]] | None:
    known = parse_id(args.project_id) if args.project_id is not None else repository_url_variants(args.repository)
    return None if known else Match("", [])


def find(call: PrivilegedCall, args: AuthenticateDelivery) -> Match[list[WebhookCandidate]]:
    if args.project_id is not None:
        project_id = parse_id(args.project_id) or ""
        return Match("", github.project_webhooks_in_all_workspaces(call.tx, project_id, PROJECTS_PER_REPOSITORY))
    return Match(
        "",
        github.repo_webhooks_in_all_workspaces(
            call.tx, repository_url_variants(args.repository), PROJECTS_PER_REPOSITORY
        ),
    )


async def verify(
    installation: Installation, args: AuthenticateDelivery, match: Match[list[WebhookCandidate]]
) -> Answer[WebhookCandidate]:
    """Missing, wrong, or no such project: one answer for all."""
    # One more, which never fits: an address without a project takes as long to refuse as one with.
    signed = [
        hook
        for hook in [*match.value, WebhookCandidate("", "", 0)]
        if _is_signed_with_hook_secret(installation.signing_key, hook, args)
    ]
    if not signed or not signed[0].project_id:
        raise Forbidden("This call is not signed with a secret that is known here.", code="bad_signature")
    return Answer(signed[0])


def _is_signed_with_hook_secret(signing_key: bytes, hook: WebhookCandidate, args: AuthenticateDelivery) -> bool:
    secret = derive_webhook_secret(signing_key, hook.workspace_id, hook.project_id, hook.generation)
    return is_valid_webhook_signature(secret, args.body, args.signature)


OPERATION = SecretOperation(
    name="authenticate_delivery",
    title="Authenticate a delivery",
    description="The project's webhook whose secret signed this body; refused where none did.",
    input=AuthenticateDelivery,
    output=WebhookCandidate,
    kind=Kind.READ,
    check=check,
    find=find,
    verify=verify,
    run=None,
)
