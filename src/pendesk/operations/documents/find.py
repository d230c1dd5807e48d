"""Documents, notes and comments by what callers name them with. What cannot be seen is as what is not there."""

from pendesk.domain.comment import Comment
from pendesk.domain.document import Document, Note
from pendesk.domain.errors import NotFound
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import comments, documents, notes


def find_document(call: Call, ident: str) -> Document:
    pid = parse_id(ident)
    document = documents.by_id(call.tx, pid) if pid else None
    if document is None:
        raise NotFound("document", ident)
    return document


def find_and_lock_document(call: Call, ident: str) -> Document:
    documents.lock(call.tx, find_document(call, ident).id)
    return find_document(call, ident)


def find_note(call: Call, ident: str) -> Note:
    pid = parse_id(ident)
    note = notes.by_id(call.tx, pid) if pid else None
    if note is None:
        raise NotFound("note", ident)
    return note


def find_and_lock_note(call: Call, ident: str) -> Note:
    notes.lock(call.tx, find_note(call, ident).id)
    return find_note(call, ident)


def find_and_lock_comment(call: Call, ident: str) -> Comment:
    pid = parse_id(ident)
    if pid is not None:
        comments.lock(call.tx, pid)
    comment = comments.by_id(call.tx, pid) if pid else None
    if comment is None:
        raise NotFound("comment", ident)
    return comment
