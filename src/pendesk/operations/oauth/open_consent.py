"""open_consent: a consent page is about to be shown. Nothing is ever agreed to in silence."""

import secrets
from typing import NamedTuple

from pendesk.domain import limits, token
from pendesk.domain.oauth import PendingConsent
from pendesk.operations.operation import Kind, PrivilegedCall, SecretOperation
from pendesk.store import consents, sign_in


class ConsentRequest(NamedTuple):
    """What a client wants: from a browser (redirect_uri and challenge) or for a device."""

    client_id: str
    client_name: str
    scopes: str
    resource: str
    redirect_uri: str | None = None
    state: str | None = None
    challenge: str | None = None
    device_hash: str | None = None


class OpenConsent(NamedTuple):
    session: str
    request: ConsentRequest


class OpenedConsent(NamedTuple):
    """The ticket is good once, for ten minutes, for this session. Workspaces: id and name."""

    ticket: str
    workspaces: list[tuple[str, str]]


def run(call: PrivilegedCall, args: OpenConsent, _match: None) -> OpenedConsent:
    ticket, session_hash = (
        token.make_link_or_cookie_secret(secrets.token_bytes(token.RANDOM_BYTES)),
        token.hash_secret(args.session),
    )
    consent = PendingConsent(
        hash=token.hash_secret(ticket),
        session_hash=session_hash,
        **args.request._asdict(),
        expires_at=call.now + limits.CONSENT_US,
    )
    consents.add(call.tx, consent)
    return OpenedConsent(ticket, sign_in.workspace_ids_and_names_for_session(call.tx, session_hash))


OPERATION: SecretOperation[OpenConsent, None, OpenedConsent] = SecretOperation(
    name="open_consent",
    title="Open a consent page",
    description="The ticket that the page's form carries, and the workspaces that its session may choose from.",
    input=OpenConsent,
    output=OpenedConsent,
    kind=Kind.WRITE,
    check=None,
    find=None,
    verify=None,
    run=run,
)
