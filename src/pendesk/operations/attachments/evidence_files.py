"""The files that are evidence for a criterion, as people see them."""

import os

from pendesk.clock import to_iso
from pendesk.domain.limits import PREVIEW_BYTES, PREVIEW_LINES
from pendesk.domain.project import Attachment
from pendesk.operations.operation import Call, Output
from pendesk.store import attachments


class EvidenceFile(Output):
    """picture: safe to show in a page. preview: the first lines of a text; more: whether there are others."""

    pid: str
    name: str
    media_type: str
    size_bytes: int
    added_at: str
    picture: bool = False
    preview: str | None = None
    more: bool = False


def evidence_files_by_criterion_id(call: Call, action_id: str) -> dict[str, list[EvidenceFile]]:
    by_criterion = attachments.of_action_by_criterion_id(call.tx, action_id)
    if by_criterion:
        call.require_worker_thread()  # the previews are read from the disk
    return {
        criterion_id: [_evidence_file(call, attachment) for attachment in files]
        for criterion_id, files in by_criterion.items()
    }


def _evidence_file(call: Call, attachment: Attachment) -> EvidenceFile:
    preview, has_more = _preview(call, attachment) if attachment.is_text else (None, False)
    return EvidenceFile(
        pid=attachment.id,
        name=attachment.name,
        media_type=attachment.media_type,
        size_bytes=attachment.size_bytes,
        added_at=to_iso(attachment.added_at),
        picture=attachment.is_picture,
        preview=preview,
        more=has_more,
    )


def _preview(call: Call, attachment: Attachment) -> tuple[str | None, bool]:
    """The first lines, without what a terminal would act on; None where the bytes are gone."""
    handle = call.installation.files.open_fd(attachment.storage_key)
    if handle is None:
        return None, False
    with os.fdopen(handle, "rb") as file:
        content = file.read(PREVIEW_BYTES)
    lines = content.decode("utf-8", errors="replace").splitlines()
    first = "\n".join(_printable(line) for line in lines[:PREVIEW_LINES])
    return first, len(lines) > PREVIEW_LINES or attachment.size_bytes > len(content)


def _printable(line: str) -> str:
    return "".join(character for character in line if character.isprintable() or character == "\t")
