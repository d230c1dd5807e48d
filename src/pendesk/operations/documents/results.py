"""Documents and notes, as operations answer with them."""

from pendesk.clock import to_iso
from pendesk.domain.document import Document, Note
from pendesk.operations.operation import Call
from pendesk.operations.text_refs import ref_code_of_text
from pendesk.operations.truncate import Truncatable


class DocumentResult(Truncatable):
    pid: str
    project_id: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    body: str
    status_line: str
    revision: int
    created_at: str
    updated_at: str
    ref_code: str | None = None


class NoteResult(Truncatable):
    pid: str
    project_id: str
    title: str
    body: str
    revision: int
    created_at: str
    updated_at: str
    ref_code: str | None = None


def document_result(call: Call, document: Document) -> DocumentResult:
    return DocumentResult(
        pid=document.id,
        project_id=document.project_id,
        parent_id=document.parent_id,
        linked_task_id=document.linked_action_id,
        title=document.title,
        body=document.body,
        status_line=document.status_line,
        revision=document.revision,
        created_at=to_iso(document.created_at),
        updated_at=to_iso(document.updated_at),
        ref_code=ref_code_of_text(call, document),
    )


def note_result(call: Call, note: Note) -> NoteResult:
    return NoteResult(
        pid=note.id,
        project_id=note.project_id,
        title=note.title,
        body=note.body,
        revision=note.revision,
        created_at=to_iso(note.created_at),
        updated_at=to_iso(note.updated_at),
        ref_code=ref_code_of_text(call, note),
    )
