"""put_attachment: a file that was uploaded becomes part of a spec."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.project import Attachment
from pendesk.ids import new_id, parse_id
from pendesk.operations.attachments.receipts import content_of, read_receipt
from pendesk.operations.fields import IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, iso
from pendesk.store import attachments, people, specs


class PutAttachment(Input):
    spec_pid: Annotated[Ident, Meta(description="The spec's pid.")]
    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=limits.LABEL_CHARS,
            pattern=r"\A[^/\\\r\n]*[^/\\\s.][^/\\\r\n]*\Z",
            description="The file's name as people see it.",
        ),
    ]
    receipt: Annotated[str, Meta(max_length=400, description="What the upload answered.")]
    media_type: Annotated[str, Meta(max_length=100, pattern=r"\A[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*\Z")] = (
        "application/octet-stream"
    )
    idempotency_key: IdempotencyKey | None = None

    def compared(self) -> "PutAttachment":
        """The same bytes, sent again, have another receipt."""
        return msgspec.structs.replace(self, receipt=content_of(self.receipt))


class AttachmentView(Output):
    pid: str
    spec_pid: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    added_at: str | None = None


def run(call: Call, asked: PutAttachment) -> AttachmentView:
    # A receipt is bound to its member, so two uses of one run one after the other.
    people.lock_member(call.tx, call.actor.user_id)
    received = read_receipt(call, asked.receipt)
    pid = parse_id(asked.spec_pid)
    spec = specs.by_id(call.tx, pid) if pid else None
    if spec is None:
        raise NotFound("spec", asked.spec_pid)
    if attachments.was_used(call.tx, received.key):
        raise RuleBroken("This upload is attached already. Upload the file again to attach it twice.", code="used")
    attachment = Attachment(
        id=new_id(),
        project_id=spec.project_id,
        spec_id=spec.id,
        name=asked.name,
        media_type=asked.media_type,
        size_bytes=received.size_bytes,
        sha256=received.sha256,
        storage_key=received.key,
        added_by=call.actor.user_id,
        added_at=call.now,
        removed_at=None,
    )
    attachments.add(call.tx, attachment)
    told = {"name": attachment.name, "sizeBytes": attachment.size_bytes, "sha256": attachment.sha256}
    call.record(Event("attachment.added", attachment.id, spec.project_id, spec.id, data=told))
    return view(attachment)


def view(attachment: Attachment) -> AttachmentView:
    return AttachmentView(
        pid=attachment.id,
        spec_pid=attachment.spec_id,
        name=attachment.name,
        media_type=attachment.media_type,
        size_bytes=attachment.size_bytes,
        sha256=attachment.sha256,
        added_at=iso(attachment.added_at),
    )


OPERATION = Operation(
    name="put_attachment",
    title="Attach a file",
    description=(
        "Attach an uploaded file to a spec; agents see it in the brief. Upload the bytes first and pass the receipt "
        "you got. Refused: 404 no such spec, 422 a receipt that is not yours, too old or used."
    ),
    input=PutAttachment,
    output=AttachmentView,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
