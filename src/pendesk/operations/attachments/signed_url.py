"""A link to an attachment that needs no token and works for half an hour: made and checked here.

It is worth no more than what its caller came in with, which it names: once that is revoked, or they are no member any
more, it leads nowhere.
"""

from typing import NamedTuple, get_args

from pendesk.clock import to_iso
from pendesk.domain.access import Credential, CredentialKind
from pendesk.domain.signature import is_valid_signature, sign
from pendesk.operations.operation import Call, Installation


class SignedUrl(NamedTuple):
    url: str
    expires_at: str


def sign_attachment_url(call: Call, attachment_id: str) -> SignedUrl:
    """Whether the caller may see the attachment has been checked before."""
    expires_at = call.now + call.limits.attachment_url_us
    path, holder = _path(call.tx.workspace, attachment_id), ".".join(call.actor.credential)
    signature = sign(call.installation.signing_key, "attachment", path, holder, str(expires_at))
    url = f"{call.installation.public_url}{path}?by={holder}&expires={expires_at}&signature={signature}"
    return SignedUrl(url, to_iso(expires_at))


class SignedLink(NamedTuple):
    """As the address has them; only the signature makes them true. `by` names who got it."""

    workspace_id: str
    attachment_id: str
    by: str
    expires: str
    signature: str


def is_signed_attachment_url(installation: Installation, link: SignedLink) -> bool:
    path = _path(link.workspace_id, link.attachment_id)
    return is_valid_signature(link.signature, installation.signing_key, "attachment", path, link.by, link.expires)


def credential_of_link(link: SignedLink) -> Credential:
    """Of one whose signature is good."""
    name, _, credential_id = link.by.partition(".")
    kinds: dict[str, CredentialKind] = {kind: kind for kind in get_args(CredentialKind)}
    return Credential(kinds[name], credential_id)


def _path(workspace_id: str, attachment_id: str) -> str:
    return f"/attachments/{workspace_id}/{attachment_id}"
