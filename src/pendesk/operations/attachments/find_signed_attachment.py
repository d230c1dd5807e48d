"""find_signed_attachment: the attachment behind a signed link, until the link expires."""

from typing import NamedTuple

from pendesk.domain.project import Attachment
from pendesk.ids import parse_id
from pendesk.operations.attachments.signed_url import is_signed_attachment_url
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import attachments


class FindSignedAttachment(NamedTuple):
    """As the link names them; only the signature makes them true."""

    workspace_id: str
    attachment_id: str
    expires: str
    signature: str


def check(installation: Installation, args: FindSignedAttachment) -> Match[None] | Answer[None]:
    signed = is_signed_attachment_url(installation, args.workspace_id, args.attachment_id, args.expires, args.signature)
    return Match(args.workspace_id, None) if signed and parse_id(args.attachment_id) else Answer(None)


def run(call: PrivilegedCall, args: FindSignedAttachment, _match: None) -> Attachment | None:
    return attachments.by_id(call.tx, args.attachment_id) if call.now < int(args.expires) else None


OPERATION = SecretOperation(
    name="find_signed_attachment",
    title="Find an attachment by its link",
    description="The attachment, or None where the link is forged or expired, or the attachment was removed.",
    input=FindSignedAttachment,
    output=Attachment | None,
    kind=Kind.READ,
    check=check,
    find=None,
    verify=None,
    run=run,
)
