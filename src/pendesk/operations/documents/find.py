"""Documents and notes by what callers name them with. What cannot be seen is as what is not there."""

from pendesk.domain.document import Document, Note
from pendesk.domain.errors import NotFound
from pendesk.domain.text_ref import TextKind
from pendesk.operations.operation import Call
from pendesk.store import documents, notes, text_refs


def find_document(call: Call, document_id: str) -> Document:
    """By pid or ref."""
    pid = text_refs.resolve_id(call.tx, document_id, TextKind.DOCUMENT)
    document = documents.by_id(call.tx, pid) if pid else None
    if document is None:
        raise NotFound("document", document_id)
    return document


def find_and_lock_document(call: Call, document_id: str) -> Document:
    documents.lock(call.tx, find_document(call, document_id).id)
    return find_document(call, document_id)


def find_note(call: Call, note_id: str) -> Note:
    """By pid or ref."""
    pid = text_refs.resolve_id(call.tx, note_id, TextKind.NOTE)
    note = notes.by_id(call.tx, pid) if pid else None
    if note is None:
        raise NotFound("note", note_id)
    return note


def find_and_lock_note(call: Call, note_id: str) -> Note:
    notes.lock(call.tx, find_note(call, note_id).id)
    return find_note(call, note_id)
