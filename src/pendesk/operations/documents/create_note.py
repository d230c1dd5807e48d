"""create_note: something to remember about a project."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Note
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.text_ref import TextKind
from pendesk.ids import new_id
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.documents.results import NoteResult, note_result
from pendesk.operations.fields import IdempotencyKey, Markdown, ProjectId, Title
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.projects.find import find_project
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import notes, text_refs


class CreateNote(Input):
    project_id: ProjectId
    title: Title
    body: Markdown = ""
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateNote) -> NoteResult:
    project = find_project(call, args.project_id)
    note = Note(
        id=new_id(),
        project_id=project.id,
        title=args.title,
        body=args.body,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
        ref_number=text_refs.allocate_number(call.tx, TextKind.NOTE, project.id),
    )
    notes.add(call.tx, note)
    edits.save_first_revision(call, note.id, revision_content.note_content(note))
    search_index.index_note(call, note)
    call.record(Event("note.created", note.id, project.id, data=TitledData(title=note.title)))
    return truncate_echoed_field_for_agent(call, note_result(call, note), "body")


OPERATION = Operation(
    name="create_note",
    title="Create a note",
    description=("Add a short Markdown note to a project; create_document is for what people comment on."),
    input=CreateNote,
    output=NoteResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
