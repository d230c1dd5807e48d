"""A link to an attachment that needs no token and works for half an hour: made and checked here."""

from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.signature import is_valid_signature, sign
from pendesk.operations.operation import Call, Installation


class SignedUrl(NamedTuple):
    url: str
    expires_at: str


def sign_attachment_url(call: Call, attachment_id: str) -> SignedUrl:
    """Whether the caller may see the attachment has been checked before."""
    expires_at = call.now + call.limits.attachment_url_us
    path = _path(call.tx.workspace, attachment_id)
    signature = sign(call.installation.signing_key, "attachment", path, str(expires_at))
    url = f"{call.installation.public_url}{path}?expires={expires_at}&signature={signature}"
    return SignedUrl(url, to_iso(expires_at))


def is_signed_attachment_url(
    installation: Installation, workspace_id: str, attachment_id: str, expires: str, signature: str
) -> bool:
    path = _path(workspace_id, attachment_id)
    return is_valid_signature(signature, installation.signing_key, "attachment", path, expires)


def _path(workspace_id: str, attachment_id: str) -> str:
    return f"/attachments/{workspace_id}/{attachment_id}"
