"""Comments, and what they are on, by what callers name them with. What cannot be seen is as what is not there."""

from typing import NamedTuple

from pendesk.domain.comment import Comment, Thread
from pendesk.domain.document import Document
from pendesk.domain.errors import NotFound
from pendesk.domain.text_ref import TextKind
from pendesk.ids import parse_id
from pendesk.operations.actions.find import find_action
from pendesk.operations.operation import Call
from pendesk.store import actions, comments, documents, specs, text_refs


class Subject(NamedTuple):
    """What is commented on. `action_id` and `spec_id` are those that an event about it names."""

    thread: Thread
    project_id: str
    action_id: str | None
    spec_id: str | None
    document: Document | None = None


_LOCK = {"document": documents.lock, "action": actions.lock, "spec": specs.lock}


def find_subject(call: Call, ident: str) -> Subject:
    """By the pid or ref of a document, a spec or an action."""
    text_id = text_refs.resolve_id(call.tx, ident, TextKind.DOCUMENT, TextKind.SPEC)
    document = documents.by_id(call.tx, text_id) if text_id else None
    if document is not None:
        thread = Thread("document", document.id)
        return Subject(thread, document.project_id, document.linked_action_id, None, document)
    spec = specs.by_id(call.tx, text_id) if text_id else None
    if spec is not None:
        return Subject(Thread("spec", spec.id), spec.project_id, None, spec.id)
    pid = parse_id(ident)
    facts = actions.facts(call.tx, pid) if pid else find_action(call, ident)
    if facts is None:
        raise NotFound("document", ident)
    action = facts.action
    return Subject(Thread("action", action.id), action.project_id, action.id, action.spec_id)


def find_and_lock_subject(call: Call, ident: str) -> Subject:
    thread = find_subject(call, ident).thread
    _LOCK[thread.kind](call.tx, thread.id)
    return find_subject(call, thread.id)


def find_and_lock_comment(call: Call, comment_id: str) -> Comment:
    """One that was not deleted."""
    pid = parse_id(comment_id)
    if pid is not None:
        comments.lock(call.tx, pid)
    comment = comments.by_id(call.tx, pid) if pid else None
    if comment is None or comment.deleted_at is not None:
        raise NotFound("comment", comment_id)
    return comment
