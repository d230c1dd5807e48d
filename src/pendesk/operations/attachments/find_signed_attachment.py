"""find_signed_attachment: the attachment behind a signed link, until the link expires or who got it is shut out."""

from pendesk.domain.project import Attachment
from pendesk.ids import parse_id
from pendesk.operations.attachments.signed_url import SignedLink, credential_of_link, is_signed_attachment_url
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import attachments, credentials


def check(installation: Installation, link: SignedLink) -> Match[None] | Answer[None]:
    signed = is_signed_attachment_url(installation, link)
    return Match(link.workspace_id, None) if signed and parse_id(link.attachment_id) else Answer(None)


def run(call: PrivilegedCall, link: SignedLink, _match: None) -> Attachment | None:
    if call.now >= int(link.expires) or credentials.role_of(call.tx, credential_of_link(link)) is None:
        return None
    return attachments.by_id(call.tx, link.attachment_id)


OPERATION = SecretOperation(
    name="find_signed_attachment",
    title="Find an attachment by its link",
    description=(
        "The attachment, or None where the link is forged or expired, the attachment was removed, or who got the link "
        "is shut out."
    ),
    input=SignedLink,
    output=Attachment | None,
    kind=Kind.READ,
    check=check,
    find=None,
    verify=None,
    run=run,
)
