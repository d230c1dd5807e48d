"""Revisions of a text, by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NoSuchRevision, NotFound
from pendesk.domain.text_ref import TextKind
from pendesk.operations.operation import Call
from pendesk.store import actions, revisions, text_refs

NEWEST = 2**53


def resolve_object_id(call: Call, id_or_ref: str) -> str | None:
    """Of whatever has revisions, by pid or ref."""
    return text_refs.resolve_id(call.tx, id_or_ref, *TextKind) or actions.resolve_id(call.tx, id_or_ref)


def revision_not_found_refusal(call: Call, object_id: str | None, revision: int | None, id_as_sent: str) -> NotFound:
    newest = revisions.of_object(call.tx, object_id, NEWEST, 1) if object_id else []
    if not newest or revision is None:
        return NotFound("text with revisions", id_as_sent)
    return NoSuchRevision(revision, newest[0].revision)
