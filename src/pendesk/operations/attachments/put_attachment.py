"""put_attachment: a file that was uploaded becomes part of a spec, or of a document."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Document
from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import AttachmentAddedData
from pendesk.domain.file_quota import check_room_for_file
from pendesk.domain.project import Attachment, ReceivedFile, Spec
from pendesk.ids import new_id
from pendesk.operations.attachments.receipts import size_and_sha256_part_of_receipt, verify_receipt
from pendesk.operations.documents.find import find_document
from pendesk.operations.fields import DocumentId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.specs.find import find_spec
from pendesk.store import attachments, people


class UploadedFile(Input):
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

    def idempotency_payload(self) -> "UploadedFile":
        """The same bytes, sent again, have another receipt."""
        return msgspec.structs.replace(self, receipt=size_and_sha256_part_of_receipt(self.receipt))


class PutAttachment(UploadedFile):
    spec_pid: Annotated[Ident, Meta(description="The spec's pid; agents see the file in its brief.")] | None = None
    document_id: Annotated[DocumentId, Meta(description="Instead of a spec: the document that shows it.")] | None = None


class AttachmentView(Output):
    pid: str
    spec_pid: str | None
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    added_at: str | None = None
    document_id: str | None = None
    criterion_id: str | None = None


def run(call: Call, args: PutAttachment) -> AttachmentView:
    # A receipt is bound to its member, so two uses of one run one after the other.
    people.lock_member(call.tx, call.actor.user_id)
    received = verify_receipt(call, args.receipt)
    home = _find_parent(call, args)
    attachment = save_attachment(
        call,
        args,
        received,
        home.project_id,
        spec_id=home.id if isinstance(home, Spec) else None,
        document_id=home.id if isinstance(home, Document) else None,
    )
    data = AttachmentAddedData(name=attachment.name, size_bytes=attachment.size_bytes, sha256=attachment.sha256)
    call.record(Event("attachment.added", attachment.id, home.project_id, attachment.spec_id, data=data))
    return attachment_view(attachment)


def save_attachment(
    call: Call,
    args: UploadedFile,
    received: ReceivedFile,
    project_id: str,
    *,
    spec_id: str | None = None,
    document_id: str | None = None,
    criterion_id: str | None = None,
) -> Attachment:
    """The member is locked, so that no receipt is used twice. Two members at once may both get the last room."""
    call.require_worker_thread()
    use = attachments.used_bytes(call.tx, call.actor.user_id)
    check_room_for_file(use, received.size_bytes, call.limits, by_token=call.actor.token_id is not None)
    if attachments.was_ever_attached(call.tx, received.key):
        raise RuleBroken("This upload is attached already. Upload the file again to attach it twice.", code="used")
    attachment = Attachment(
        id=new_id(),
        project_id=project_id,
        spec_id=spec_id,
        name=args.name,
        media_type=args.media_type,
        size_bytes=received.size_bytes,
        sha256=received.sha256,
        storage_key=received.key,
        added_by=call.actor.user_id,
        added_at=call.now,
        removed_at=None,
        document_id=document_id,
        criterion_id=criterion_id,
    )
    attachments.add(call.tx, attachment)
    return attachment


def _find_parent(call: Call, args: PutAttachment) -> Spec | Document:
    if (args.spec_pid is None) == (args.document_id is None):
        raise BadField("spec_pid", "say where the file belongs: the pid of a spec, or of a document.")
    return find_spec(call, args.spec_pid) if args.spec_pid else find_document(call, args.document_id or "")


def attachment_view(attachment: Attachment) -> AttachmentView:
    return AttachmentView(
        pid=attachment.id,
        spec_pid=attachment.spec_id,
        name=attachment.name,
        media_type=attachment.media_type,
        size_bytes=attachment.size_bytes,
        sha256=attachment.sha256,
        added_at=to_iso_or_none(attachment.added_at),
        document_id=attachment.document_id,
        criterion_id=attachment.criterion_id,
    )


OPERATION = Operation(
    name="put_attachment",
    title="Attach a file",
    description=(
        "Attach an uploaded file to a spec, whose agents see it in the brief, or to a document, whose text shows it as "
        "![name](/files/PID). Upload the bytes first and pass the receipt you got. Refused: 404 no such spec or "
        "document, 422 a receipt that is not yours, too old or used, or no room for more files."
    ),
    input=PutAttachment,
    output=AttachmentView,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
