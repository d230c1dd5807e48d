"""delete_note: a note with its old revisions."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.documents.find import find_and_lock_note
from pendesk.operations.fields import NoteId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import purge


class DeleteNote(Input):
    note_id: NoteId


def run(call: Call, args: DeleteNote) -> Deleted:
    note = find_and_lock_note(call, args.note_id)
    purge.delete_row_and_revisions(call.tx, "notes", note.id)
    call.record(Event("note.deleted", note.id, note.project_id, data=TitledData(title=note.title)))
    return Deleted(pid=note.id)


OPERATION = Operation(
    name="delete_note",
    title="Delete a note",
    description=("Delete a note with its old revisions. For people: no token can do this. Refused: 404 no such note."),
    input=DeleteNote,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
