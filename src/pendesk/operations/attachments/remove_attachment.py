"""remove_attachment: take a file off its spec; its links stop working at once."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.event_data import AttachmentRemovedData
from pendesk.ids import parse_id
from pendesk.operations.attachments.put_attachment import AttachmentView, attachment_view
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import attachments


class RemoveAttachment(Input):
    attachment_pid: Annotated[Ident, Meta(description="The attachment's pid.")]


def run(call: Call, args: RemoveAttachment) -> AttachmentView:
    pid = parse_id(args.attachment_pid)
    attachment = attachments.by_id(call.tx, pid) if pid else None
    if attachment is None:
        raise NotFound("attachment", args.attachment_pid)
    attachments.remove(call.tx, attachment.id)
    data = AttachmentRemovedData(name=attachment.name, sha256=attachment.sha256)
    call.record(Event("attachment.removed", attachment.id, attachment.project_id, attachment.spec_id, data=data))
    return attachment_view(attachment)


OPERATION = Operation(
    name="remove_attachment",
    title="Remove an attachment",
    description=(
        "Take a file off its spec. Its links stop working at once and its bytes are deleted later. For people: no "
        "token can do this. Refused: 404 no such attachment."
    ),
    input=RemoveAttachment,
    output=AttachmentView,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
