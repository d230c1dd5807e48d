"""remove_attachment: take a file off its spec, document or criterion; its links stop working at once."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.event_data import AttachmentRemovedData
from pendesk.domain.evidence import FILE_REMOVED
from pendesk.domain.project import Attachment
from pendesk.ids import parse_id
from pendesk.operations.attachments.put_attachment import AttachmentView, attachment_view
from pendesk.operations.building.ci_evidence import mark_evidence_stale
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, attachments, criteria


class RemoveAttachment(Input):
    attachment_pid: Annotated[Ident, Meta(description="The attachment's pid.")]


def run(call: Call, args: RemoveAttachment) -> AttachmentView:
    pid = parse_id(args.attachment_pid)
    attachment = attachments.by_id(call.tx, pid) if pid else None
    if attachment is None:
        raise NotFound("attachment", args.attachment_pid)
    data = AttachmentRemovedData(name=attachment.name, sha256=attachment.sha256)
    if attachment.criterion_id is None:
        attachments.remove(call.tx, attachment.id)
        call.record(Event("attachment.removed", attachment.id, attachment.project_id, attachment.spec_id, data=data))
    else:
        _remove_evidence(call, attachment, attachment.criterion_id, data)
    return attachment_view(attachment)


def _remove_evidence(call: Call, attachment: Attachment, criterion_id: str, data: AttachmentRemovedData) -> None:
    """What it showed counts no longer."""
    action_id = criteria.action_id_even_if_removed(call.tx, criterion_id)
    assert action_id is not None
    actions.lock(call.tx, action_id)
    facts = actions.facts(call.tx, action_id)
    if facts is None or attachments.by_id(call.tx, attachment.id) is None:
        raise NotFound("attachment", attachment.id)
    attachments.remove(call.tx, attachment.id)
    call.record(action_event(facts.action, "attachment.removed", data, attachment.id))
    pieces = criteria.non_stale_evidence_of_source(call.tx, criterion_id, attachment.id)
    mark_evidence_stale(call, pieces, FILE_REMOVED)


OPERATION = Operation(
    name="remove_attachment",
    title="Remove an attachment",
    description=(
        "Take a file off its spec, document or criterion. Its links stop working at once and its bytes are deleted "
        "later; evidence that it was is stale. For people: no token can do this. Refused: 404 no such attachment."
    ),
    input=RemoveAttachment,
    output=AttachmentView,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
