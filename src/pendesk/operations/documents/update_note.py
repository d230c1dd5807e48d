"""update_note: its title and body."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.revision import check_replaced_text_was_read
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.documents.find import find_and_lock_note
from pendesk.operations.documents.results import NoteResult, note_result
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, NoteId, Text, Title
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import notes


class UpdateNote(Input):
    note_id: NoteId
    title: Title | None = None
    body: Annotated[Text, Meta(description="The whole new text; Markdown.")] | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateNote) -> NoteResult:
    check_replaced_text_was_read(args.body, args.expected_revision, "get_note")
    return truncate_echoed_field_for_agent(call, update_note(call, args), "body")


def update_note(call: Call, args: UpdateNote) -> NoteResult:
    note = find_and_lock_note(call, args.note_id)
    changes = {"title": args.title, "body": args.body}
    edit = edits.apply_edit_and_add_revision(
        call, note.id, note.revision, revision_content.note_content(note), changes, args.expected_revision
    )
    if edit.changed:
        note = note._replace(**edit.content, revision=edit.revision, updated_at=call.now)
        notes.update(call.tx, note)
        search_index.index_note(call, note)
        call.record(Event("note.edited", note.id, note.project_id, data=edit.event_data))
    return note_result(call, note)


OPERATION = Operation(
    name="update_note",
    title="Edit a note",
    description=(
        "Change a note; leave out what stays. body replaces the whole text and needs expected_revision. Refused: "
        "409 changed since (has the present text: merge, send again)."
    ),
    input=UpdateNote,
    output=NoteResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
