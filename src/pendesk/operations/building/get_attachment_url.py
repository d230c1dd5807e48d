"""get_attachment_url: a download link that works for half an hour."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.project import Attachment
from pendesk.ids import parse_id
from pendesk.operations.attachments.signed_url import sign_attachment_url
from pendesk.operations.building.claim_guard import may_see_spec
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.session_news import NewsItem, unread_news
from pendesk.store import actions, attachments, criteria


class GetAttachmentUrl(Input):
    attachment_pid: Annotated[Ident, Meta(description="From the brief's spec.attachments.")]


class AttachmentUrl(Output):
    url: str
    expires_at: str
    news: list[NewsItem] = []


def run(call: Call, args: GetAttachmentUrl) -> AttachmentUrl:
    pid = parse_id(args.attachment_pid)
    attachment = attachments.by_id(call.tx, pid) if pid else None
    if attachment is None or not _may_see(call, attachment):
        raise NotFound("attachment", args.attachment_pid)
    signed = sign_attachment_url(call, attachment.id)
    return AttachmentUrl(url=signed.url, expires_at=signed.expires_at, news=unread_news(call))


def _may_see(call: Call, attachment: Attachment) -> bool:
    """Documents are for whoever may read the workspace, evidence for whoever sees the spec of its action."""
    if attachment.criterion_id is not None:
        action_id = criteria.action_id_even_if_removed(call.tx, attachment.criterion_id)
        facts = actions.facts(call.tx, action_id) if action_id else None
        return facts is not None and may_see_spec(call, facts.action.spec_id)
    if attachment.spec_id is None:
        return Scope.DESK_READ in call.actor.scopes
    return may_see_spec(call, attachment.spec_id)


OPERATION = Operation(
    name="get_attachment_url",
    title="Get an attachment's link",
    description=(
        "A download link for a file attached to the spec, once the one in the brief has expired: it needs no token and "
        "works for 30 minutes. Refused: 404 no such attachment (read the brief again)."
    ),
    input=GetAttachmentUrl,
    output=AttachmentUrl,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
